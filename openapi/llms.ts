import { GUIDES } from './guide-names.ts';

/** `/llms.txt`: where a model that reads this service finds what, as llmstxt.org has it. */
export const LLMS = `# Trading-Strategy Service

> Automated trading strategies as graphs: draw a blueprint, deploy it, watch its orders, approve the large ones. REST, tRPC and the Model Context Protocol.

## Guides

${Object.entries(GUIDES)
  .map(([name, { title }]) => `- [${title}](/docs/guides/${name}.md)`)
  .join('\n')}

## API

- [OpenAPI description](/openapi.json): every operation, with schemas, examples and scopes
- [AsyncAPI description](/asyncapi.json): the event streams, with the schema of each message
- [Reference](/docs): the same for people, with samples
- \`/mcp\`: the Model Context Protocol over streamable HTTP, with an API key
`;
