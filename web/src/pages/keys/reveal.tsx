import { CopyButton, Curl, curl } from '../../ui/copy.tsx';

type RevealProps = { secret: string; stored: boolean; onStored: (stored: boolean) => void };

/** The one time a secret is on a screen. */
export function Reveal({ secret, stored, onStored }: RevealProps) {
  return (
    <>
      <div className="notice warn">
        This is the only time the key is shown. Only its hash is kept; a lost key is replaced, not found
        again.
      </div>
      <div className="curl">
        <pre data-secret>{secret}</pre>
        <CopyButton text={secret} label="Copy key" />
      </div>
      <span className="small dim">Try it:</span>
      <Curl command={curl('GET', '/api/portfolio', undefined, secret)} />
      <label className="row">
        <input type="checkbox" checked={stored} onChange={(event) => onStored(event.currentTarget.checked)} />
        I stored it somewhere safe
      </label>
    </>
  );
}
