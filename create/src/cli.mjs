#!/usr/bin/env node
// `npm create bailiwick-app` and `npx create-bailiwick-app`: the command `create` of the package bailiwick.
process.argv.splice(2, 0, 'create')
await import('bailiwick/dist/service/launch.mjs')
