import { readFileSync } from 'node:fs';

/** Longer than any setting; a device or a log named by mistake is not read into memory. */
const BYTES_MAX = 65_536;

export type FromFiles = { readonly values: Record<string, string>; readonly faults: readonly string[] };

/**
 * Reads each setting `NAME` that is given as `NAME_FILE`, the name of a file. Secrets of an orchestrator then stand in no
 * environment, which every child process and `docker inspect` see. One line break at the end is ignored.
 */
export function readSettingFiles(given: Record<string, string>, names: readonly string[]): FromFiles {
  const values = { ...given };
  const faults: string[] = [];
  for (const name of names) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) faults.push(`${name} and ${name}_FILE must not both be set`);
    else {
      const text = readShort(file);
      if (text === null) faults.push(`${name}_FILE must name a file of at most 64 KB that can be read`);
      else values[name] = text;
    }
  }
  return { values, faults };
}

function readShort(file: string): string | null {
  try {
    const bytes = readFileSync(file);
    return bytes.length > BYTES_MAX ? null : bytes.toString('utf8').replace(/\r?\n$/, '');
  } catch {
    return null;
  }
}
