/** No feature of the browser itself may call home, or it would be counted against the pages. */
export const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Responses of a route count as public, and the event stream comes from this machine.
  '--disable-features=LocalNetworkAccessChecks',
];
