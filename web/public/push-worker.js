/** Shows what the service sends to this browser, opens what it is about, and follows its subscription. It sees no request of any page. */

addEventListener('install', () => skipWaiting());

addEventListener('push', (event) => event.waitUntil(show(event.data)));

addEventListener('pushsubscriptionchange', (event) => event.waitUntil(follow(event)));

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** A push has to show something, whatever it holds. One that comes again takes the place of the first. */
function show(sent) {
  const { id, title, body, url } = fieldsOf(sent);
  return registration.showNotification(title ?? 'Something happened on the desk', {
    body: body ?? '',
    ...(id && { tag: id }),
    icon: '/icon.svg',
    data: url ?? '/notifications',
  });
}

function fieldsOf(sent) {
  try {
    const fields = Object(sent.json());
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

/** To a page that shows it already, or in a new one: none is taken away from what somebody does there. */
async function open(path) {
  const { origin } = location;
  const url = new URL(path, origin);
  const target = url.origin === origin ? url.href : origin;
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => page.url === target);
  return there ? there.focus() : clients.openWindow(target);
}

const CHANNELS = '/api/notification-channels';

/** The browser renewed its subscription: the channel of the one before goes on by the new one. */
async function follow({ newSubscription }) {
  const kept = await caches.open('push');
  const target = await (await kept.match('/push-target'))?.text();
  const channel = (await ask(CHANNELS)).find((each) => each.kind === 'push' && each.target === target);
  if (!channel) return;
  const subscription = newSubscription ?? (await subscribeAgain());
  const renewed = await ask(`${CHANNELS}/${channel.id}`, {
    subscription,
    // Disabled because nobody was there any more.
    ...(channel.state === 'disabled' && { on: true }),
  });
  await kept.put('/push-target', new Response(renewed.target));
}

async function subscribeAgain() {
  const { pushKey } = await ask('/api/notification-options');
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
}

/** As whoever is signed in; a refusal ends what asked. */
async function ask(path, change) {
  const response = await fetch(
    path,
    change && {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    },
  );
  if (!response.ok) throw new Error(`${path} was answered ${response.status}.`);
  return response.json();
}
