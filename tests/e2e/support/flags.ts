/** Nothing of the browser's own may call home, or it would be counted against the pages. */
export const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Answers of a route count as public, and what is told over a stream comes from this machine.
  '--disable-features=LocalNetworkAccessChecks',
];
