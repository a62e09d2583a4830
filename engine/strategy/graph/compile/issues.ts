/** Collects all issues of a graph, up to a limit that no honest graph reaches. */
import type { Issue, Severity } from '../types.ts';

export const ISSUES_MAX = 300;

/** Location of an issue: its node, and its path in the graph. */
export type IssueLocation = {
  readonly nodeId: string | null;
  readonly path: string;
};

export class Issues {
  readonly #found: Issue[] = [];
  readonly #known = new Set<string>();
  /** By place in a module and code: the node of the first use with that issue. */
  readonly #uses = new Map<string, string | null>();
  #more = false;
  #errors = 0;

  error(location: IssueLocation, code: string, message: string): void {
    this.#add(location, code, 'error', message);
  }

  warning(location: IssueLocation, code: string, message: string): void {
    this.#add(location, code, 'warning', message);
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** Whether the list is full, so that further search is useless. */
  get isFull(): boolean {
    return this.#more;
  }

  /** Returns issues in the order found. Past the limit, one issue says that there are more. */
  list(): readonly Issue[] {
    if (!this.#more) return this.#found;
    const message = 'There are more issues than these. Fix these first.';
    return [...this.#found, { nodeId: null, path: '', code: 'more_issues', severity: 'error', message }];
  }

  #add({ nodeId, path }: IssueLocation, code: string, severity: Severity, message: string): void {
    // The copies of a node have the same mistakes, and so have the uses of a module.
    const key = `${path} ${code} ${nodeId} ${message}`;
    const use = this.#uses.get(`${path} ${code}`) ?? nodeId;
    if (this.#known.has(key) || use !== nodeId) return;
    this.#known.add(key);
    if (path.startsWith('/modules/')) this.#uses.set(`${path} ${code}`, nodeId);
    if (severity === 'error') this.#errors++;
    if (this.#found.length >= ISSUES_MAX) this.#more = true;
    else this.#found.push({ nodeId, path, code, severity, message });
  }
}

/** JSON Pointer (RFC 6901). */
export function pointer(...parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
