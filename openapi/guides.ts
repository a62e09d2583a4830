import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';
import { GUIDES } from './guide-names.ts';

const ROOT = new URL('..', import.meta.url);
const nameOf = new Map(
  Object.entries(GUIDES).map(([name, { file }]) => [new URL(file, ROOT).pathname, name]),
);

/** A guide as HTML, its links to other guides leading to their pages. Null where there is none of this name. */
export async function guideHtml(name: string): Promise<{ title: string; html: string } | null> {
  const guide = Object.hasOwn(GUIDES, name) ? GUIDES[name] : undefined;
  if (!guide) return null;
  const url = new URL(guide.file, ROOT);
  const html = await rendererFor(url).parse(await readFile(url, 'utf8'));
  return { title: guide.title, html };
}

/** A guide as it is written. Null where there is none of this name. */
export async function guideMarkdown(name: string): Promise<string | null> {
  const guide = Object.hasOwn(GUIDES, name) ? GUIDES[name] : undefined;
  return guide ? readFile(new URL(guide.file, ROOT), 'utf8') : null;
}

/** Our own documents: what they hold needs no cleaning, and no other text comes here. */
function rendererFor(document: URL): Marked {
  const marked = new Marked();
  const seen = new Map<string, number>();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const slug = anchorOf(text);
        const before = seen.get(slug) ?? 0;
        seen.set(slug, before + 1);
        const id = before === 0 ? slug : `${slug}-${before}`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = targetOf(document, href);
        return target === null ? words : `<a href="${target}">${words}</a>`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      image: () => '',
    },
  });
  return marked;
}

/** Where a link of a document leads on the site; null where the site has nothing of it. */
function targetOf(document: URL, href: string): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, document);
  const name = nameOf.get(pathname);
  return name === undefined ? null : `/docs/guides/${name}${hash}`;
}

/** As GitHub names the headings of a document. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
