import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { client, invalidate, trpc } from '../../../api/trpc.ts';
import { t } from '../../../language/language.ts';
import { Trans } from '../../../language/trans.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { Time } from '../../../ui/time.tsx';

const LIVES = [1, 7, 30, 90] as const;

type ShareProps = { blueprint: { id: string; name: string }; onClose: () => void };

/** Makes and revokes links by which anyone sees the draft. A link is shown once: the service stores only its hash. */
export function ShareDialog({ blueprint: { id, name }, onClose }: ShareProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useId();
  const [days, setDays] = useState<number>(LIVES[1]);
  useEffect(() => dialog.current?.showModal(), []);
  const links = useQuery(trpc.console.shareLinks.queryOptions({ blueprintId: id }));
  const onSettled = () => invalidate(trpc.console.shareLinks.pathFilter());
  const share = useMutation({
    mutationFn: () => client.console.share.mutate({ blueprintId: id, days }),
    gcTime: 0,
    onSettled,
  });
  const revoke = useMutation({
    mutationFn: (linkId: string) => client.console.unshare.mutate({ id: linkId }),
    onSettled,
  });
  const made = share.data && `${location.origin}/shared#${share.data.token}`;
  const error = share.error ?? revoke.error ?? links.error;
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby={`${field}-title`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          share.mutate();
        }}
      >
        <h2 id={`${field}-title`}>{t('Share “{name}”', { name })}</h2>
        <p className="plain">
          {t(
            'Anyone with the link sees the draft without signing in, as it is when they open the link, later edits included: its name, nodes, settings, notes and messages. They can copy it, and change or run nothing here. Results, orders and your account stay private.',
          )}
        </p>
        <ul className="plain-list">
          {links.data?.map((link) => (
            <li key={link.id} className="row apart">
              <span>
                <Trans
                  message="Made {made}, expires {expires}"
                  values={{ made: <Time at={link.createdAt} />, expires: <Time at={link.expiresAt} /> }}
                />
              </span>
              <Button variant="default" disabled={revoke.isPending} onClick={() => revoke.mutate(link.id)}>
                {t('Revoke')}
              </Button>
            </li>
          ))}
        </ul>
        {made ? (
          <>
            <div className="notice">{t('Copy the link now: it is not shown again.')}</div>
            <div className="curl">
              <pre data-link>{made}</pre>
              <CopyButton text={made} label={t('Copy the link')} />
            </div>
          </>
        ) : null}
        <div className="field">
          <label htmlFor={field}>{t('Expires after')}</label>
          <select
            id={field}
            className="text-input"
            value={days}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
          >
            {LIVES.map((each) => (
              <option key={each} value={each}>
                {t('{days, plural, one {# day} other {# days}}', { days: each })}
              </option>
            ))}
          </select>
        </div>
        {error ? <ProblemNotice error={error} /> : null}
        <footer>
          <Button variant="default" size="sm" onClick={() => dialog.current?.close()}>
            {t('Close')}
          </Button>
          <Button type="submit" size="sm" loading={share.isPending}>
            {t('Make a link')}
          </Button>
        </footer>
      </form>
    </dialog>
  );
}
