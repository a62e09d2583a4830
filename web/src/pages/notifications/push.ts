/** This browser as a channel: its permission, its subscription, and the worker that shows notifications. */
import { pushHint } from '../../format/notifications/push-words.ts';
import { t } from '../../language/language.ts';

const WORKER = '/push-worker.js';
/** The key under which the worker finds this browser's channel, when the subscription is renewed while no page is open. */
const CACHE_NAME = 'push';
const STORED_AS = '/push-target';

/** The reason why this browser cannot be notified, as a sentence; null if it can. */
export function pushProblem(): string | null {
  if (!isSecureContext) return t('Browser notifications need https:, and this page was not loaded over it.');
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return t(
      'This browser has no push notifications. On an iPhone or iPad add the console to the home screen first.',
    );
  if (Notification.permission === 'denied')
    return t(
      'Notifications of this page are blocked in this browser. Allow them in its settings for this site, then come back.',
    );
  return null;
}

export type Subscription = {
  /** The service's hint of it in a channel. */
  hint: string;
  wanted: { endpoint: string; keys: { p256dh: string; auth: string } };
};

/** This browser's present subscription, or none. */
export async function readSubscription(): Promise<Subscription | null> {
  if (pushProblem() !== null) return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await registration?.pushManager.getSubscription();
  return subscription ? remember(subscriptionOf(subscription)) : null;
}

/**
 * Asks the user, and subscribes. Call from a press: browsers ask at no other moment.
 *
 * @param serviceKey identifies this service to push services, base64url
 * @throws Error in words for the user if it was refused, or no push service responds.
 */
export async function subscribe(serviceKey: string): Promise<Subscription> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error(t('The browser was not allowed to show notifications.'));
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription made for another service's key would be refused.
  await (await pushManager.getSubscription())?.unsubscribe();
  try {
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serviceKey });
    return await remember(subscriptionOf(made));
  } catch (error) {
    throw new Error(t('The push service of this browser does not answer. Try again later.'), {
      cause: error,
    });
  }
}

/** Deletes this browser's subscription: no notification sent to it arrives any longer. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await caches.delete(CACHE_NAME);
}

async function remember(subscription: Subscription): Promise<Subscription> {
  const cache = await caches.open(CACHE_NAME);
  await cache.put(STORED_AS, new Response(subscription.hint));
  return subscription;
}

function subscriptionOf(subscription: PushSubscription): Subscription {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  return { hint: pushHint(endpoint), wanted: { endpoint, keys: { p256dh, auth } } };
}
