import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryClient, trpc } from '../../api/trpc.ts';
import { readGraph, writeGraph } from '../../editor/drawing/json.ts';
import { withInstrument } from '../../editor/drawing/thumbnail.ts';
import { t, translateServed } from '../../language/language.ts';
import { ProblemNotice } from '../../ui/problem.tsx';
import { TemplateChoice } from './template-choice.tsx';
import { TemplateMarkets, TemplatePreview } from './template-parts.tsx';
import './templates.css';

/** A window with room for the preview beside the list. */
const BESIDE = '(min-width: 960px)';

type NewProps = { onClose: () => void; onCreated: (id: string) => void };

/** A name, and either an empty canvas or a template to start from. */
export function NewBlueprint({ onClose, onCreated }: NewProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const templates = useQuery({ ...trpc.console.templates.queryOptions({}), staleTime: 300_000 });
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const template = templates.data?.find(({ key }) => key === chosen);
  const suggested = template && translateServed(template.name);
  const [markets, setMarkets] = useState<Readonly<Record<string, string>>>({});
  const create = useMutation(
    trpc.blueprints.create.mutationOptions({
      onSuccess: ({ id }) => {
        void queryClient.invalidateQueries(trpc.console.blueprints.pathFilter());
        onCreated(id);
      },
    }),
  );
  const isWide = useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false });
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const submit = () => {
    const title = name.trim() || suggested;
    if (title)
      create.mutate({ name: title, ...(template && { visual: onMarkets(template.visual, markets) }) });
  };
  const preview = template ? (
    <TemplatePreview of={template}>
      <TemplateMarkets
        visual={template.visual}
        chosen={markets}
        onChoose={(of, tokenId) => setMarkets((now) => ({ ...now, [of]: tokenId }))}
      />
    </TemplatePreview>
  ) : null;
  return (
    <dialog ref={dialog} className="confirm templates" aria-labelledby="new-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 id="new-title">{t('New strategy')}</h2>
        <div className="field">
          <label htmlFor="new-name">{t('Name')}</label>
          <input
            id="new-name"
            className="text-input"
            autoFocus
            autoComplete="off"
            maxLength={120}
            placeholder={suggested ?? t('My strategy')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <div className="template-columns">
          <TemplateChoice
            templates={templates.data ?? []}
            chosen={chosen}
            onChoose={(key) => {
              setChosen(key);
              setMarkets({});
            }}
            preview={isWide ? null : preview}
          />
          {isWide ? (
            <div className="template-beside">
              {preview ?? (
                <div className="empty">
                  <strong>{t('An empty canvas')}</strong>
                  <p>
                    {t('Choose a template to see its graph, its risk, and how it did over recorded prices.')}
                  </p>
                </div>
              )}
            </div>
          ) : null}
        </div>
        {create.error ? <ProblemNotice error={create.error} /> : null}
        <footer>
          <Button variant="default" size="sm" onClick={() => dialog.current?.close()}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            size="sm"
            loading={create.isPending}
            disabled={name.trim() === '' && !template}
          >
            {t('Create draft')}
          </Button>
        </footer>
      </form>
    </dialog>
  );
}

/** The template on the markets chosen for it. */
const onMarkets = (visual: unknown, markets: Readonly<Record<string, string>>) =>
  writeGraph(
    Object.entries(markets).reduce((graph, [from, to]) => withInstrument(graph, from, to), readGraph(visual)),
  );
