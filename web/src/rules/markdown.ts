/* markdown.ts -- turns a RULES.md into HTML: headings, paragraphs, lists, tables, code, emphasis, and numbered sentences, each of
 * which begins a paragraph of its own and can be pointed at by its number. Only what these documents use; everything else stays
 * text, and nothing of the document becomes markup by itself. */

/** A document, ready to be shown. */
export interface Book {
  title: string;
  /** All behind the title. */
  html: string;
  sections: { id: string; title: string }[];
}

/** A text as HTML. */
function escape(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
}

/** Emphasis, code and references inside a line. */
function inline(text: string): string {
  const codes: string[] = [];
  return escape(text)
    .replace(/`([^`]+)`/g, (_, code: string) => `\u0000${codes.push(`<code>${code}</code>`) - 1}\u0000`)
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[^\w*])\*([^*\s][^*]*?)\*(?!\w)/g, '$1<em>$2</em>')
    .replace(/\[(\d+\.\d+)\]/g, '<a href="#" data-rule="$1">$1</a>')
    .replace(/\u0000(\d+)\u0000/g, (_, index: string) => codes[Number(index)]!);
}

/** The rows of a table as HTML. */
function table(rows: string[]): string {
  const cells = rows.map((row) => row.replace(/^\||\|\s*$/g, '').split('|').map((cell) => cell.trim()));
  const [head, , ...rest] = cells;
  const line = (row: string[], tag: string): string =>
    `<tr>${row.map((cell) => `<${tag}${/^[+\-\u2212]?\d[\d.,]*$/.test(cell) ? ' class="number"' : ''}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  return (
    `<div class="scroll" tabindex="0"><table class="table"><thead>${line(head ?? [], 'th')}</thead>` +
    `<tbody>${rest.map((row) => line(row, 'td')).join('')}</tbody></table></div>`
  );
}

/** A paragraph; a numbered sentence gets its number as a mark. */
function paragraph(text: string): string {
  const rule = /^\*\*(\d+(?:\.\d+)+)\*\*\s*(.*)$/s.exec(text);
  if (!rule) return `<p>${inline(text)}</p>`;
  return `<p class="sentence" id="rule-${rule[1]}"><b>${rule[1]}</b><span>${inline(rule[2]!)}</span></p>`;
}

/** A list: lines that begin with a dash or a number, with the lines that go on. */
function list(lines: string[]): string {
  const items: string[] = [];
  for (const text of lines) {
    const begin = /^\s*(?:[-*]|\d+\.)\s+(.*)$/.exec(text);
    if (begin) items.push(begin[1]!);
    else items[items.length - 1] += ` ${text.trim()}`;
  }
  const tag = /^\s*\d+\./.test(lines[0]!) ? 'ol' : 'ul';
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`;
}

/** Lines that belong together. */
function blocksOf(text: string): string[][] {
  const blocks: string[][] = [];
  let block: string[] = [];
  let fenced = false;
  const close = (): void => {
    if (block.length) blocks.push(block);
    block = [];
  };
  for (const line of text.split('\n')) {
    const fence = line.startsWith('```');
    if (fence && !fenced) close();
    const begins = !fenced && (/^#/.test(line) || /^\*\*\d+(\.\d+)+\*\*/.test(line));
    if (begins || (!fenced && line.trim() === '')) close();
    if (fenced || fence || line.trim() !== '') block.push(line);
    if (fence) fenced = !fenced;
    if ((fence && !fenced) || /^#/.test(line)) close();
  }
  close();
  return blocks;
}

/** See above. */
export function readBook(text: string): Book {
  const book: Book = { title: '', html: '', sections: [] };
  for (const block of blocksOf(text)) {
    const first = block[0]!;
    const heading = /^(#+)\s+(.*)$/.exec(first);
    if (heading && heading[1]!.length === 1) {
      book.title = heading[2]!;
    } else if (heading) {
      const level = Math.min(4, heading[1]!.length);
      const id = `section-${book.sections.length}`;
      if (level === 2) book.sections.push({ id, title: heading[2]! });
      book.html += `<h${level}${level === 2 ? ` id="${id}"` : ''}>${inline(heading[2]!)}</h${level}>`;
    } else if (first.startsWith('```')) {
      book.html += `<pre class="scroll" tabindex="0"><code>${escape(block.slice(1, -1).join('\n'))}</code></pre>`;
    } else {
      book.html += mixed(block);
    }
  }
  return book;
}

/** A block of text that may go over into a table or a list. */
function mixed(lines: string[]): string {
  const kind = (line: string): 'table' | 'list' | 'text' =>
    line.startsWith('|') ? 'table' : /^\s*(?:[-*]|\d+\.)\s+/.test(line) ? 'list' : 'text';
  let out = '';
  for (let from = 0; from < lines.length; ) {
    const now = kind(lines[from]!);
    let to = from + 1;
    while (to < lines.length && (kind(lines[to]!) === now || (now === 'list' && /^\s/.test(lines[to]!)))) to++;
    const part = lines.slice(from, to);
    out += now === 'table' ? table(part) : now === 'list' ? list(part) : paragraph(part.map((line) => line.trim()).join(' '));
    from = to;
  }
  return out;
}
