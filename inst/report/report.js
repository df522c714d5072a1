// Tables of class "sorted": a click on the head of a column sorts by it.
"use strict";
for (const table of document.querySelectorAll("table.sorted")) {
  const body = table.tBodies[0];
  const heads = Array.from(table.tHead.rows[0].cells);
  const key = (row, i) => row.cells[i].textContent;
  heads.forEach((head, i) => head.querySelector("button").addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    const rows = Array.from(body.rows);
    const order = (a, b) => {
      const left = key(a, i), right = key(b, i);
      // What is missing comes last, whichever way.
      if (left === "" || right === "") return (left === "") - (right === "");
      const difference = isNaN(left - right) ? left.localeCompare(right) : left - right;
      return up ? difference : -difference;
    };
    rows.sort(order).forEach((row) => body.appendChild(row));
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
  }));
}
