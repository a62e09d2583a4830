/** Shows what the service sends to this browser, and opens what it is about. It sees no request of any page. */

addEventListener('install', () => skipWaiting());

addEventListener('push', (event) => event.waitUntil(show(event.data)));

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
