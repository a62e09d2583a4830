import {
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  type RouteComponent,
  redirect,
  rootRouteId,
} from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { MODE_PREFIX } from './api/page-mode.ts';
import { readProblem } from './api/problem.ts';
import { sessionQuery } from './api/session.ts';
import { queryClient, trpc } from './api/trpc.ts';
import { useSettings } from './settings/store.ts';
import { CrashPage } from './shell/crash-page.tsx';
import { onDemand } from './ui/help/on-demand.tsx';

type Search = Record<string, unknown>;

/** A page whose code loads when it is opened. Its type reveals nothing of it, so that pages may import the router. */
const page = (load: () => Promise<FunctionComponent>): RouteComponent => onDemand(load);
const NotFound = page(async () => (await import('./shell/error-pages.tsx')).NotFound);

/** A word of the address, if it is one. */
const word = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Keeps the named words of the address; others are dropped, so that a shared link means what it says. */
const words =
  <Name extends string>(...names: Name[]) =>
  (search: Search): { [name in Name]?: string | undefined } => {
    const found: { [name in Name]?: string | undefined } = {};
    for (const name of names) {
      const value = word(search[name]);
      if (value !== undefined) found[name] = value;
    }
    return found;
  };

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: CrashPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: words('next', 'error'),
  component: page(async () => (await import('./pages/sign-in.tsx')).SignInPage),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: words('next'),
  component: page(async () => (await import('./pages/sign-in.tsx')).SignUpPage),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: page(async () => (await import('./pages/reset-password.tsx')).ResetPasswordPage),
});

const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/shared',
  component: page(async () => (await import('./pages/shared.tsx')).SharedPage),
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: page(async () => (await import('./shell/shell.tsx')).Shell),
  beforeLoad: async ({ location }) => {
    const user = await queryClient.ensureQueryData(sessionQuery);
    if (!user) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: words('do'),
  // Loads the data that decides which panels are shown while the page's code loads. Both arrive together, so no panel jumps.
  loader: () => {
    void queryClient.prefetchQuery(trpc.console.blueprints.queryOptions({}));
    void queryClient.prefetchQuery(trpc.agentKeys.list.queryOptions({}));
    void queryClient.prefetchQuery(trpc.console.account.queryOptions({}));
    void queryClient.prefetchQuery(trpc.venueConnections.list.queryOptions({}));
    void queryClient.prefetchQuery({ ...trpc.console.prices.queryOptions({}), staleTime: 60_000 });
  },
  component: page(async () => (await import('./pages/overview/page.tsx')).OverviewPage),
});

const blueprintsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/blueprints',
  validateSearch: words('status', 'tag', 'find', 'do'),
  component: page(async () => (await import('./pages/blueprints/page.tsx')).BlueprintsPage),
});

const blueprintRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/blueprints/$id',
  validateSearch: words('tab', 'part', 'node', 'range', 'zoom', 'beside', 'run', 'do'),
  component: page(async () => (await import('./pages/blueprints/detail/page.tsx')).BlueprintPage),
});

const ordersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/orders',
  validateSearch: words('status', 'side', 'blueprint', 'order', 'find', 'approve', 'from', 'to', 'sort'),
  component: page(async () => (await import('./pages/orders/page.tsx')).OrdersPage),
});

const portfolioRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/portfolio',
  validateSearch: words('range', 'part', 'do'),
  component: page(async () => (await import('./pages/portfolio/page.tsx')).PortfolioPage),
});

const marketsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/markets',
  validateSearch: words('venue', 'find', 'market', 'outcome', 'interval'),
  component: page(async () => (await import('./pages/markets/page.tsx')).MarketsPage),
});

const riskRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/risk',
  component: page(async () => (await import('./pages/risk/page.tsx')).RiskPage),
});

const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: words('status', 'do'),
  component: page(async () => (await import('./pages/keys/page.tsx')).KeysPage),
});

const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connect',
  validateSearch: words('request'),
  component: page(async () => (await import('./pages/keys/connect.tsx')).ConnectPage),
});

const connectionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connections',
  validateSearch: words('do'),
  component: page(async () => (await import('./pages/connections/page.tsx')).ConnectionsPage),
});

const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  validateSearch: words('do'),
  component: page(async () => (await import('./pages/notifications/page.tsx')).NotificationsPage),
});

const activityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/activity',
  validateSearch: words('about', 'find', 'from', 'to'),
  component: page(async () => (await import('./pages/activity.tsx')).ActivityPage),
});

const backtestsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/backtests',
  validateSearch: words('blueprint'),
  component: page(async () => (await import('./pages/backtests/page.tsx')).BacktestsPage),
});

const compareRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/backtests/compare',
  validateSearch: words('ids'),
  component: page(async () => (await import('./pages/backtests/compare.tsx')).ComparePage),
});

const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/backtests/$id',
  validateSearch: words('part'),
  component: page(async () => (await import('./pages/backtests/run.tsx')).RunPage),
});

const stepRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/backtests/$id/step',
  validateSearch: words('at'),
  component: page(async () => (await import('./pages/backtests/step-through.tsx')).StepThroughPage),
});

const sweepsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sweeps',
  validateSearch: words('blueprint'),
  component: page(async () => (await import('./pages/sweeps/page.tsx')).SweepsPage),
});

const newSweepRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sweeps/new',
  validateSearch: words('blueprint', 'like'),
  component: page(async () => (await import('./pages/sweeps/new.tsx')).NewSweepPage),
});

const sweepRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sweeps/$id',
  component: page(async () => (await import('./pages/sweeps/sweep.tsx')).SweepPage),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: page(async () => (await import('./pages/settings.tsx')).SettingsPage),
});

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/account',
  component: page(async () => (await import('./pages/account/page.tsx')).AccountPage),
});

const operatorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator',
  // For all but operators it is an address like any that does not exist.
  loader: async () => {
    try {
      await queryClient.fetchQuery(trpc.console.operator.operations.queryOptions({}));
    } catch (error) {
      if (readProblem(error).code !== 'route_not_found') return;
      useSettings.getState().set({ operatorId: null });
      throw notFound({ routeId: rootRouteId });
    }
  },
  component: page(async () => (await import('./pages/operator/page.tsx')).OperatorPage),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  resetPasswordRoute,
  sharedRoute,
  shellRoute.addChildren([
    overviewRoute,
    blueprintsRoute,
    blueprintRoute,
    ordersRoute,
    portfolioRoute,
    marketsRoute,
    riskRoute,
    connectionsRoute,
    connectRoute,
    keysRoute,
    notificationsRoute,
    activityRoute,
    backtestsRoute,
    compareRoute,
    runRoute,
    stepRoute,
    sweepsRoute,
    newSweepRoute,
    sweepRoute,
    settingsRoute,
    accountRoute,
    operatorRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: MODE_PREFIX || '/',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
