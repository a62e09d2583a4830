/** Shows the notifications of this browser, opens their subject, and follows its subscription. It sees no request of any page. */

addEventListener('install', () => skipWaiting());

addEventListener('push', (event) => event.waitUntil(show(event.data)));

addEventListener('pushsubscriptionchange', (event) => event.waitUntil(follow(event)));

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Every push must show a notification, whatever its content. A repeated one replaces the first. */
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

/** Focuses a page that already shows it, or opens a new one: no other page is navigated away. */
async function open(path) {
  const { origin } = location;
  const url = new URL(path, origin);
  const target = url.origin === origin ? url.href : origin;
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => page.url === target);
  return there ? there.focus() : clients.openWindow(target);
}

const CHANNELS = '/api/notification-channels';

/** Moves the channel of the previous subscription to the one that the browser renewed. */
async function follow({ newSubscription }) {
  const kept = await caches.open('push');
  const target = await (await kept.match('/push-target'))?.text();
  const channel = (await ask(CHANNELS)).find((each) => each.kind === 'push' && each.target === target);
  if (!channel) return;
  const subscription = newSubscription ?? (await subscribeAgain());
  const renewed = await ask(`${CHANNELS}/${channel.id}`, {
    subscription,
    // It was disabled because the old subscription was gone.
    ...(channel.state === 'disabled' && { on: true }),
  });
  await kept.put('/push-target', new Response(renewed.target));
}

async function subscribeAgain() {
  const { pushKey } = await ask('/api/notification-options');
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
}

/** Calls the API with the session of the signed-in user; throws on a refusal. */
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
