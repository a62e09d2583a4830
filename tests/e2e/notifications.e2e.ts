import type { CDPSession, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../support/notifications.ts';
import { newPushBrowser, type PushBrowser } from '../support/push-message.ts';
import { base, type Guest, newGuest, open } from './support/browser.ts';
import { launchWithNotifications } from './support/launch.ts';
import { pendingOrder } from './support/strategies.ts';

const WAIT = { timeout: 45_000 };
/** Long walks through the page, on a busy machine. */
const LONG_MS = 180_000;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

/** A new account may also get the notification of its first day. */
const tests = () => receiver.deliveries.filter(({ body }) => body.startsWith('{"type":"test"'));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Adds a webhook to the receiver on the page, also after a failure of the way; returns the secret it was shown. */
async function addHook({ page }: Guest, label = 'Desk'): Promise<string> {
  await button(page, 'New channel').click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('radio', { name: 'Telegram' }).isChecked()).toBe(true);
  await dialog.getByRole('radio', { name: 'Webhook' }).check();
  await dialog.getByLabel('Name').fill(label);
  await dialog.getByLabel('Address').fill(receiver.url);
  const add = dialog.getByRole('button', { name: 'Add channel' });
  const keys: (string | undefined)[] = [];
  await page.route('**/trpc/notifications.create*', (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length === 1 ? route.fulfill({ status: 502, body: 'bad gateway' }) : route.continue();
  });
  await add.click();
  await dialog.getByRole('alert').waitFor();
  await add.click();
  const secret = (await dialog.locator('[data-secret]').textContent()) ?? '';
  await dialog.getByLabel('I stored it somewhere safe').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: label }).waitFor();
  await page.unroute('**/trpc/notifications.create*');
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
  return secret;
}

describe('notifications', () => {
  test(
    'a webhook is added, its secret is shown once, a test shows the response, and is sent again under its id',
    async () => {
      await using guest = await newGuest();
      const { page } = guest;
      await open(page, '/notifications');
      await page.getByText('No channels yet').waitFor();
      const secret = await addHook(guest);
      await button(page, 'Send a test').click();
      await page.locator('[data-test-outcome=ok]').waitFor(WAIT);
      const [delivery] = tests();
      const headers = delivery?.headers as Record<string, string>;
      expect(new Webhook(secret).verify(delivery?.body ?? '', headers)).toMatchObject({ type: 'test' });
      const row = page.locator('tr[data-row]').filter({ hasText: 'A test' }).first();
      await row.getByText('Arrived').waitFor(WAIT);
      await row.getByRole('button', { name: 'Send again' }).click();
      await expect.poll(() => tests().length, WAIT).toBe(2);
      expect(tests()[1]?.headers['webhook-id']).toBe(headers['webhook-id']);
      await page.reload();
      await page.getByRole('heading', { name: 'Desk' }).waitFor();
      const stored = await page.evaluate(() => [
        document.documentElement.outerHTML,
        ...Object.values(localStorage),
        ...Object.values(sessionStorage),
      ]);
      expect(stored.filter((text) => text.includes(secret))).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'a failing webhook says so; it is edited, rotated, paused, turned on and removed',
    async () => {
      await using guest = await newGuest();
      const { page } = guest;
      await open(page, '/notifications');
      await addHook(guest);
      receiver.answer((_request, response) => response.writeHead(500).end());
      await button(page, 'Send a test').click();
      await page.getByText('The test did not arrive: answered 500').waitFor(WAIT);
      await page.getByText('Not arriving').waitFor(WAIT);

      await button(page, 'Edit…').click();
      const edit = page.getByRole('dialog', { name: 'Edit “Desk”' });
      await edit.getByLabel('Name').fill('Night desk');
      await edit.getByLabel('An order was filled').selectOption('Not sent');
      await edit.getByLabel('Notifications wait until they end').check();
      await edit.getByLabel('Time zone').selectOption('Europe/Zurich');
      await edit.getByLabel('New body').fill('{\n"text": "{{price}}"}');
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.getByText('has the unknown placeholder {{price}}').waitFor();
      await edit.getByLabel('New body').fill('{\n"text": "{{title}}"}');
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByText('13 of 14 kinds').waitFor();
      await page.getByText('22:00 to 07:00, Europe/Zurich').waitFor();

      await button(page, 'New secret…').click();
      await button(page, 'Make a new secret').click();
      await page.locator('[data-secret]').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Once this is closed, the secret is not shown again.').waitFor();
      await page.getByLabel('I stored it somewhere safe').check();
      await button(page, 'Done').click();

      await button(page, 'Pause').click();
      await page.locator('[data-channel-id][data-state=off]').waitFor();
      receiver.deliveries.length = 0;
      receiver.answer();
      await button(page, 'Turn on').click();
      await page.locator('[data-channel-id][data-state=on]').waitFor();
      await expect.poll(() => tests().length, WAIT).toBe(1);
      // Signed with the new secret and the previous one.
      expect(String(tests()[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);

      await button(page, 'Send again…').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
      await page.getByText(/notifications? of that time go to “Night desk” again/).waitFor();
      await button(page, 'Remove…').click();
      await button(page, 'Remove “Night desk”').click();
      await page.getByText('No channels yet').waitFor();
    },
    LONG_MS,
  );

  test.each([390, 360, 320])(
    'on a phone of %i px nothing is cut or pushed out of the page',
    async (width) => {
      await using guest = await newGuest({
        hasTouch: true,
        isMobile: true,
        viewport: { width, height: 740 },
      });
      const { page } = guest;
      await guest.api('POST', '/api/notification-channels', {
        kind: 'webhook',
        label: 'A channel with a rather long name of its own',
        url: `https://desk.example.com/${'hook/'.repeat(30)}`,
      });
      await open(page, '/notifications');
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
      expect(await wide()).toBe(width);
      for (const name of ['New channel', 'Edit…', 'Send again…', 'Remove…']) {
        await button(page, name).first().click();
        const dialog = page.locator('dialog[open]');
        expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), name).toBe(
          0,
        );
        await page.keyboard.press('Escape');
      }
      expect(await wide()).toBe(width);
    },
  );
});

/** Lets this page subscribe at the receiver, with keys whose private half the test holds: no push service is reachable. */
const pretendPushService = (page: Page, { keys }: PushBrowser, endpoint: string) =>
  page.addInitScript(
    (made) => {
      const subscription = {
        toJSON: () => made,
        unsubscribe: async () => {
          sessionStorage.removeItem('subscribed');
          return true;
        },
      };
      Object.assign(PushManager.prototype, {
        subscribe: async (options: { applicationServerKey: string; userVisibleOnly: boolean }) => {
          sessionStorage.setItem('subscribed', options.applicationServerKey);
          return subscription;
        },
        getSubscription: async () => (sessionStorage.getItem('subscribed') === null ? null : subscription),
      });
    },
    { endpoint, keys },
  );

/** Hands messages to the worker as the browser's push service would. */
async function openPushService(cdp: CDPSession): Promise<(data: string) => Promise<unknown>> {
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, isDeleted } of registrations) if (!isDeleted) resolve(registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  return (data) => cdp.send('ServiceWorker.deliverPushMessage', { origin: base, registrationId, data });
}

const notificationsOn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body, tag }) => ({ title, body, tag }));
  });

test(
  'a subscribed browser shows a waiting approval, encrypted for it alone, and a press opens its dialog',
  async () => {
    await using windowed = await launchWithNotifications();
    await using guest = await newGuest({}, base, windowed);
    const { page, context } = guest;
    await context.grantPermissions(['notifications'], { origin: base });
    const browser = newPushBrowser();
    await pretendPushService(page, browser, receiver.url);
    await open(page, '/notifications');
    await button(page, 'Turn on browser notifications').click();
    await button(page, 'Turn off browser notifications').waitFor();
    await page.getByText('this browser', { exact: true }).waitFor();

    const order = await pendingOrder(guest);
    await expect.poll(() => receiver.deliveries.length, WAIT).toBeGreaterThan(0);
    const texts = () => receiver.deliveries.map(({ bytes }) => browser.open(bytes));
    const approval = () => texts().find((text) => JSON.parse(text).kind === 'order.pending') ?? '';
    await expect.poll(approval, WAIT).not.toBe('');
    const [sent] = receiver.deliveries;
    expect(sent?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
    expect(sent?.headers.authorization).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=/);
    const { pushKey } = await guest.api<{ pushKey: string }>('GET', '/api/notification-options');
    expect(sent?.headers.authorization).toContain(pushKey);
    expect(await page.evaluate(() => sessionStorage.getItem('subscribed'))).toBe(pushKey);
    expect(() => newPushBrowser().open(sent?.bytes ?? Buffer.alloc(0))).toThrow();

    const deliver = await openPushService(await context.newCDPSession(page));
    await deliver(approval());
    await deliver(approval());
    await expect.poll(() => notificationsOn(page), WAIT).toHaveLength(1);
    expect(await notificationsOn(page)).toMatchObject([
      { title: 'An order waits for your approval', tag: JSON.parse(approval()).id },
    ]);
    await deliver('nothing a program wrote');
    await expect.poll(() => notificationsOn(page), WAIT).toHaveLength(2);

    const [worker] = context.serviceWorkers();
    if (!worker) throw new Error('No worker is registered.');
    const opened = await worker.evaluate(async () => {
      // The browser opens a window only for a real press, which no test can make outside of a page.
      const scope = globalThis as unknown as {
        clients: { openWindow: (url: string) => Promise<null> };
        registration: ServiceWorkerRegistration;
      };
      const { promise, resolve } = Promise.withResolvers<string>();
      scope.clients.openWindow = async (url) => {
        resolve(url);
        return null;
      };
      const notifications = await scope.registration.getNotifications();
      const notification = notifications.find(({ title }) => title.startsWith('An order'));
      const { NotificationEvent } = globalThis as unknown as {
        NotificationEvent: new (type: string, init: object) => Event;
      };
      dispatchEvent(new NotificationEvent('notificationclick', { notification }));
      return promise;
    });
    expect(opened).toBe(`${base}/orders?approve=${order.id}`);
    await expect.poll(() => notificationsOn(page), WAIT).toHaveLength(1);
    await page.goto(opened);
    await page.getByRole('alertdialog').getByText('Book now').waitFor();

    // The browser renews the subscription while no page is open: the channel continues with the new one.
    const [channel] = await guest.api<{ id: string; target: string }[]>('GET', '/api/notification-channels');
    await worker.evaluate(
      (renewed) => {
        const newSubscription = { toJSON: () => renewed };
        dispatchEvent(
          Object.assign(new Event('pushsubscriptionchange'), { newSubscription, waitUntil() {} }),
        );
      },
      { endpoint: receiver.url.replace('/hook', '/renewed'), keys: browser.keys },
    );
    const channels = () => guest.api<{ id: string; target: string }[]>('GET', '/api/notification-channels');
    await expect
      .poll(channels, WAIT)
      .toMatchObject([{ id: channel?.id, target: expect.stringMatching(/…ewed$/) }]);
    receiver.deliveries.length = 0;
    await guest.api('POST', `/api/notification-channels/${channel?.id}/test`);
    await expect.poll(() => receiver.deliveries.map(({ path }) => path), WAIT).toContain('/renewed');
    await guest.api('DELETE', `/api/notification-channels/${channel?.id}`);
  },
  LONG_MS,
);

test(
  'a browser whose notifications are turned off is no longer a channel',
  async () => {
    await using windowed = await launchWithNotifications();
    await using guest = await newGuest({}, base, windowed);
    const { page, context } = guest;
    await context.grantPermissions(['notifications'], { origin: base });
    await pretendPushService(page, newPushBrowser(), receiver.url);
    await open(page, '/notifications');
    await button(page, 'Turn on browser notifications').click();
    await button(page, 'Turn off browser notifications').click();
    await button(page, 'Turn on browser notifications').waitFor();
    expect(await guest.api('GET', '/api/notification-channels')).toEqual([]);
  },
  LONG_MS,
);
