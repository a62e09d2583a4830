import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../language/language.ts';

const CONFIRMATION_MS = 1_500;

/** Copies a text to the clipboard, also if the page has no secure context. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement('textarea'), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

function useCopied(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (text) => void copyText(text).then(() => setCopied(true))];
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, copy] = useCopied();
  return (
    <span className="id">
      <button type="button" aria-label={label} title={label} onClick={() => copy(text)}>
        {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      </button>
      <span className="sr" aria-live="polite">
        {copied ? t('Copied') : ''}
      </span>
    </span>
  );
}

/** The first eight characters of an id and its last four, because ids made in the same minute begin alike. */
export const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;

/** An id in its short form; the button copies all of it. */
export function Id({ id, label = t('ID') }: { id: string; label?: string }) {
  return (
    <span className="id" title={id}>
      {shortId(id)}
      <CopyButton text={id} label={t('Copy {label} {id}', { label, id })} />
    </span>
  );
}

/** A command to run, exactly as it is to be typed. */
export function Curl({ command }: { command: string }) {
  return (
    <div className="curl">
      <pre>{command}</pre>
      <CopyButton text={command} label={t('Copy command')} />
    </div>
  );
}

/** The same request as a shell command, at this server's address. */
export function curl(method: string, path: string, body?: unknown, key = '$API_KEY'): string {
  const base = `${location.origin}${path}`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const json =
    body === undefined ? '' : ` \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body)}'`;
  return `curl -s${verb} -H "Authorization: Bearer ${key}" ${base}${json}`;
}
