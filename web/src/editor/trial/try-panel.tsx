import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useContext } from 'react';
import { readProblem } from '../../api/problem.ts';
import { client, type Outputs } from '../../api/trpc.ts';
import { nodeValueWords } from '../../format/node-value-words.ts';
import { amount, usd } from '../../format/number.ts';
import { tokenName } from '../../format/token-name.ts';
import { type Message, msg, t, translateReason } from '../../language/language.ts';
import { RuleResults } from '../../ui/rule-results.tsx';
import { BlueprintIdContext, CatalogueContext } from '../context.ts';
import { writeGraph } from '../drawing/json.ts';
import { graphNodeOf } from '../drawing/list-states.ts';
import { labelOf, type Node } from '../drawing/model.ts';
import { useEditor } from '../store.ts';
import { isTriedAs, showTriedValues } from './tried-values.ts';

type Trial = Outputs['console']['tryStep'];
type Order = Trial['orders'][number];

/** Evaluates a step once on live data, as it is on screen, saved or not. Nothing is ordered. */
export function TryPanel({ node }: { node: Node }) {
  const id = useContext(BlueprintIdContext);
  const catalogue = useContext(CatalogueContext);
  const trial = useMutation({
    mutationFn: async () => {
      const graph = useEditor.getState();
      const visual = writeGraph(graph);
      const tried = await client.console.tryStep.mutate({ id, nodeId: node.id, visual });
      showTriedValues(tried.nodes, graph, { catalogue, trail: [] });
      return { ...tried, graph };
    },
  });
  const { data, error } = trial;
  const isChanged = useEditor((editor) => data !== undefined && !isTriedAs(editor, data.graph));
  return (
    <section className="stack tight" aria-label={t('Try this node')}>
      {/* Keeps the focus of a keyboard user: a button that loads would be disabled, and lose it. */}
      <Button
        variant="default"
        aria-busy={trial.isPending}
        onClick={() => {
          if (!trial.isPending) trial.mutate();
        }}
      >
        {t('Try on live data')}
      </Button>
      <div aria-live="polite" className="stack tight">
        {error ? <p className="plain bad">{readProblem(error).message}</p> : null}
        {isChanged ? (
          <p className="plain dim small">{t('The strategy was changed since. Try again.')}</p>
        ) : null}
        {data ? <Outcome trial={data} node={node} /> : null}
      </div>
    </section>
  );
}

function Outcome({ trial, node }: { trial: Trial; node: Node }) {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor((editor) => editor.nodes);
  const ids = new Set(nodes.map(({ id }) => id));
  const nameOf = (id: string) => {
    const found = nodes.find((each) => each.id === graphNodeOf(ids, id));
    return found ? `${labelOf(found, catalogue)} ${id.slice(found.id.length + 1)}`.trim() : id;
  };
  const isOwn = (id: string) => graphNodeOf(ids, id) === node.id;
  // The message of an order step is about its fill, and a trial makes none.
  const isOwnOrder = (id: string) => isOwn(id) && trial.orders.length > 0;
  return (
    <>
      {trial.issues.map(({ nodeId, code, message }) => (
        <p key={`${nodeId} ${code} ${message}`} className="plain bad">
          {message}
        </p>
      ))}
      {trial.nodes.length > 0 ? (
        <dl className="tried">
          {trial.nodes.map(({ nodeId, state }) => (
            <div key={nodeId}>
              <dt className={isOwn(nodeId) ? undefined : 'dim'}>{nameOf(nodeId)}</dt>
              <dd>
                {state.value === null || isOwnOrder(nodeId) ? '' : nodeValueWords(state.value)}
                {state.reason ? (
                  <span className="dim small"> {translateReason(state.reason.message)}</span>
                ) : null}
                {state.value === null && !state.reason ? '—' : ''}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {trial.orders.map((order) => (
        <OrderOutcome key={`${order.side} ${order.tokenId}`} order={order} />
      ))}
      {trial.texts.map((text) => (
        <p key={text} className="plain">
          {t('It would say: “{text}”', { text })}
        </p>
      ))}
      {trial.silence ? <p className="plain">{trial.silence.message}</p> : null}
      {trial.nodes.length > 0 ? (
        <p className="plain dim small">
          {t('As if deployed now. No order was sent, and nothing is stored.')}
        </p>
      ) : null}
    </>
  );
}

const VERDICTS: Readonly<Record<'queued' | 'pending' | 'denied', Message>> = {
  queued: msg('The risk rules would let it pass.'),
  pending: msg('It would wait for your approval.'),
  denied: msg('The risk rules would refuse it.'),
};

function OrderOutcome({
  order: { side, tokenId, amount: units, isDue, preview, refusal },
}: {
  order: Order;
}) {
  const what = { amount: amount(units), token: tokenName(tokenId) };
  return (
    <div className="stack tight">
      <p className="plain">
        <strong>{t(wishOf(side, isDue), what)}</strong>
      </p>
      {preview ? (
        <>
          <p className="plain">
            {t('{size} at a limit of {price}, with a fee of {fee} at most.', {
              size: usd(preview.size),
              price: amount(preview.limitPrice),
              fee: usd(preview.worstFee),
            })}
          </p>
          <p className={preview.verdict === 'denied' ? 'plain bad' : 'plain'}>
            {t(VERDICTS[preview.verdict])} {preview.denial?.message}
          </p>
          <RuleResults lines={preview.receipt.lines} />
        </>
      ) : null}
      {refusal ? <p className="plain bad">{refusal.message}</p> : null}
    </div>
  );
}

function wishOf(side: Order['side'], isDue: boolean): Message {
  if (side === 'buy')
    return isDue
      ? msg('It would buy {amount} {token} now.')
      : msg('It would buy {amount} {token} once its condition turns true.');
  return isDue
    ? msg('It would sell {amount} {token} now.')
    : msg('It would sell {amount} {token} once its condition turns true.');
}
