import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/mantine.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/cards.css';
import './styles/parts.css';
import './styles/pictures.css';
import './styles/details.css';
import './styles/shell.css';
import { MantineProvider } from '@mantine/core';
import { type NotificationsProps, notificationsStore } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSessionElsewhere, sessionQuery } from './api/session.ts';
import { onSignedOut, queryClient } from './api/trpc.ts';
import { useLanguage } from './language/choice.ts';
import { useLive } from './live/store.ts';
import { router } from './router.tsx';
import { applySettings, useSettings } from './settings/store.ts';
import { cssVariablesResolver, themeOf } from './theme.ts';
import { onDemand } from './ui/help/on-demand.tsx';
import { copyTimesAsIso } from './ui/time.tsx';

copyTimesAsIso();
onSignedOut(goToSignIn);
onSessionElsewhere((isSignedOut) => (isSignedOut ? goToSignIn() : location.reload()));

function goToSignIn(): void {
  const { pathname, searchStr } = router.state.location;
  if (pathname.startsWith('/sign-')) return;
  queryClient.setQueryData(sessionQuery.queryKey, null);
  void router.navigate({ to: '/sign-in', search: { next: pathname + searchStr } });
}

/** Resolves after the first data, so that messages load while the service is there, or when a message waits. */
const messagesWanted = new Promise<void>((resolve) => {
  useLive.subscribe(({ connection }) => connection !== 'connecting' && resolve());
  notificationsStore.subscribe(() => resolve());
});
const Messages = onDemand<NotificationsProps>(
  async () => {
    await messagesWanted;
    return (await import('./ui/messages.ts')).Messages;
  },
  () => null,
  () => null,
);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
const reactRoot = createRoot(root);
// Another language than English loads first, so that no page appears in two languages.
void applySettings().then(() =>
  reactRoot.render(
    <StrictMode>
      <Console />
    </StrictMode>,
  ),
);

function Console() {
  const settings = useSettings();
  const language = useLanguage((state) => state.language);
  const theme = themeOf(settings);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <Messages position="bottom-right" limit={4} />
      <QueryClientProvider client={queryClient}>
        {/* Another language or number format renders every text and number on the page again. */}
        <RouterProvider key={`${language} ${settings.formats}`} router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
