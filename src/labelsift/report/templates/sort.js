"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0], asWritten = [...body.rows];
  const order = new Intl.Collator(undefined, { numeric: true });
  const heads = [...table.tHead.rows[0].cells];
  const valueOf = (row, i) => row.cells[i].dataset.value ?? null;
  const compare = (a, b, i) => valueOf(a, i) === null
    ? order.compare(a.cells[i].textContent, b.cells[i].textContent)
    : Number(valueOf(a, i)) - Number(valueOf(b, i));
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      for (const other of heads) other.removeAttribute("aria-sort");
      let rows = asWritten;
      if (before !== "descending") {
        const way = before ? "descending" : "ascending";
        const sign = before ? -1 : 1;
        head.setAttribute("aria-sort", way);
        const known = asWritten.filter((row) => valueOf(row, i) !== "");
        const unknown = asWritten.filter((row) => valueOf(row, i) === "");
        rows = [...known.sort((a, b) => sign * compare(a, b, i)), ...unknown];
      }
      body.append(...rows);
    });
  });
}
