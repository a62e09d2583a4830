import { notifications } from '@mantine/notifications';
import type { BacktestOutline, SweepOutline } from '../api/row-types.ts';
import { type Outputs, queryClient, trpc } from '../api/trpc.ts';
import { t } from '../language/language.ts';
import { fieldsOf, type LiveEvent, nodeStatesOf, textOf } from './events.ts';
import { markUnseen, rememberNodeStates } from './store.ts';

type Outdated = { queryKey: readonly unknown[] };

const outdate = (...filters: Outdated[]) => {
  for (const filter of filters) void queryClient.invalidateQueries(filter);
};

const portfolio = () => trpc.portfolio.pathFilter();
const orders = () => trpc.console.orders.pathFilter();

/** Order statuses that a user on another page is notified of. */
const NEWS: ReadonlySet<string> = new Set(['pending', 'filled', 'denied', 'rejected']);

/** Updates the shown data from one event. Money is never guessed: it is read again. */
export function applyEvent(event: LiveEvent): void {
  const fields = fieldsOf(event);
  switch (event.type) {
    case 'order.changed': {
      const id = textOf(fields, 'id');
      const status = textOf(fields, 'status') ?? '';
      if (status === 'denied') sayDenied(id);
      if (NEWS.has(status)) markUnseen();
      outdate(
        orders(),
        trpc.console.activity.pathFilter(),
        trpc.console.firings.pathFilter(),
        trpc.console.account.pathFilter(),
      );
      if (id) outdate(trpc.console.order.queryFilter({ id }));
      outdateTrading(textOf(fields, 'blueprintId'));
      break;
    }
    case 'fill.applied':
    case 'position.changed':
      outdate(
        portfolio(),
        trpc.console.account.pathFilter(),
        trpc.console.trading.pathFilter(),
        trpc.console.closedTrades.pathFilter(),
        trpc.console.fills.pathFilter(),
      );
      break;
    case 'risk_rules.changed':
      outdate(trpc.riskRules.pathFilter(), trpc.console.account.pathFilter());
      break;
    case 'blueprint.changed':
      outdate(
        trpc.console.blueprints.pathFilter(),
        trpc.blueprints.tags.pathFilter(),
        trpc.console.account.pathFilter(),
      );
      outdateBlueprint(textOf(fields, 'id'));
      break;
    case 'notification':
      markUnseen();
      outdate(trpc.console.activity.pathFilter());
      sayNote(textOf(fields, 'blueprintId'), textOf(fields, 'text') ?? '');
      break;
    case 'notice.raised':
      markUnseen();
      outdate(trpc.notifications.pathFilter());
      break;
    case 'connection.changed':
      outdate(trpc.venueConnections.pathFilter(), trpc.console.activity.pathFilter());
      break;
    case 'backtest.finished':
      // A run fetches the bars that its range lacked.
      outdate(trpc.backtests.pathFilter(), trpc.history.pathFilter());
      break;
    case 'runner.changed':
      outdate(trpc.system.pathFilter());
      break;
    case 'sweep.finished':
      outdate(trpc.sweeps.pathFilter(), trpc.console.sweepGrid.pathFilter(), trpc.history.pathFilter());
      break;
    case 'sweeps':
      applySweeps(event.payload);
      break;
    case 'backtests':
      applyProgress(event.payload);
      break;
    case 'node_states':
      applyNodeStates(event);
      break;
    case 'account':
      applyAccount(event.payload);
      break;
    case 'beat':
      break;
    default:
      // `resync`, and any unknown event of a newer server: reads everything again.
      void queryClient.invalidateQueries();
  }
}

/** Shows a strategy's message, under its name. It stays in Activity. */
function sayNote(blueprintId: string | null, message: string): void {
  const blueprints = queryClient.getQueryData(trpc.console.blueprints.queryKey({}));
  const name = blueprints?.find(({ id }) => id === blueprintId)?.name;
  notifications.show({ title: name ?? t('Notify'), message, autoClose: 8_000 });
}

function sayDenied(id: string | null): void {
  notifications.show({
    id: `denied-${id}`,
    color: 'red',
    title: t('An order was denied'),
    message: t('By a risk rule or free cash. Why is in Activity and under Orders.'),
    autoClose: 12_000,
  });
}

/** A target may have come to rest, or ended. */
function outdateTrading(id: string | null): void {
  if (id) outdate(trpc.console.trading.queryFilter({ id }));
}

function outdateBlueprint(id: string | null): void {
  if (id)
    outdate(
      trpc.console.blueprint.queryFilter({ id }),
      trpc.console.trading.queryFilter({ id }),
      trpc.blueprints.releases.queryFilter({ id }),
    );
}

function applyNodeStates(event: LiveEvent): void {
  const fields = fieldsOf(event);
  const blueprintId = textOf(fields, 'blueprintId');
  if (blueprintId) rememberNodeStates(blueprintId, nodeStatesOf(fields['nodeStates']));
}

type AccountNow = Omit<Outputs['console']['account'], 'mode'>;

/** Applies the account's current values, which the event contains whole. */
function applyAccount(payload: unknown): void {
  const now = payload as AccountNow;
  queryClient.setQueryData(trpc.console.account.queryKey({}), (visible) => visible && { ...visible, ...now });
}

type UnderWay = Pick<BacktestOutline, 'id' | 'status' | 'phase' | 'progress'>;

/** Applies the progress of backtests: the event lists all that have not ended. */
function applyProgress(payload: unknown): void {
  if (!Array.isArray(payload)) return;
  const reported = new Map(payload.map((run: UnderWay) => [run.id, run]));
  const moved = <Run extends UnderWay>(run: Run): Run => ({ ...run, ...reported.get(run.id) });
  for (const id of reported.keys()) {
    queryClient.setQueryData(trpc.backtests.read.queryKey({ id }), (run) => run && moved(run));
  }
  queryClient.setQueriesData<BacktestOutline[]>(trpc.backtests.list.pathFilter(), (rows) => rows?.map(moved));
}

type Sweeping = Pick<SweepOutline, 'id' | 'status' | 'progress'>;

/** Applies the progress of sweeps: the event lists all that have not ended. */
function applySweeps(payload: unknown): void {
  if (!Array.isArray(payload)) return;
  const reported = new Map(payload.map((sweep: Sweeping) => [sweep.id, sweep]));
  const moved = <Row extends Sweeping>(sweep: Row): Row => ({ ...sweep, ...reported.get(sweep.id) });
  for (const id of reported.keys()) {
    queryClient.setQueryData(trpc.sweeps.read.queryKey({ id }), (sweep) => sweep && moved(sweep));
  }
  queryClient.setQueriesData<SweepOutline[]>(trpc.sweeps.list.pathFilter(), (rows) => rows?.map(moved));
}
