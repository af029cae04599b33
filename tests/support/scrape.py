"""What a program that watches the host sees: its pages, and the numbers on them."""

from __future__ import annotations

import aiohttp
from prometheus_client.parser import text_string_to_metric_families


class Numbers:
    """The samples of a page of metrics."""

    def __init__(self, page: str) -> None:
        families = list(text_string_to_metric_families(page))
        self._samples = [sample for family in families for sample in family.samples]
        self._names = {
            f"{family.name}{end}" for family in families for end in ("", "_total", "_count", "_sum")
        }

    def value(self, name: str, **labels: str) -> float:
        """The value of the one sample with this name and with these labels; 0 while there is none."""
        assert f"yardzee_{name}" in self._names, name
        found = [
            sample.value
            for sample in self._samples
            if sample.name == f"yardzee_{name}" and labels.items() <= sample.labels.items()
        ]
        assert len(found) <= 1, (name, labels)
        return found[0] if found else 0.0

    def commands(self) -> dict[tuple[str, str], float]:
        """Lines that were served on all networks, by kind and outcome."""
        return {
            (sample.labels["command"], sample.labels["outcome"]): sample.value
            for sample in self._samples
            if sample.name == "yardzee_commands_total"
        }


class Pages:
    """The pages at a port of 127.0.0.1."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    async def get(self, path: str, method: str = "GET", accept: str = "") -> tuple[int, str, str]:
        """The status, the content type and the text of an answer."""
        # A connection of its own, so that the answer is the server's of today.
        async with (
            aiohttp.ClientSession(headers={"Accept": accept} if accept else {}) as session,
            session.request(method, self.url + path) as answer,
        ):
            return answer.status, answer.headers.get("Content-Type", ""), await answer.text()

    async def numbers(self) -> Numbers:
        status, _, page = await self.get("/metrics")
        assert status == 200
        return Numbers(page)
