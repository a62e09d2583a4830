// Checks for a recent Node.js and names what is missing, instead of a syntax error from a TypeScript file. Every Node.js must
// be able to run this file: keep it to the syntax of Node.js 14.

const NEEDED = 24;
const version = process.versions.node;

if (Number(version.split('.')[0]) < NEEDED) {
  process.stderr.write(
    'This service needs Node.js ' +
      NEEDED +
      ' or newer, but it was started with ' +
      version +
      ': run `npm install` with optional dependencies, which brings its own Node.js for the npm scripts, or install Node.js ' +
      NEEDED +
      ' or newer.\n',
  );
  process.exit(1);
}
