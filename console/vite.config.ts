// How the console is built: `node scripts/ensure-built.mjs` runs this before a start and before tests.
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { type Plugin, defineConfig } from 'vite'
import { translationModule, wrapModule } from './src/node/console-texts.ts'
import {
  importedUser,
  operationTable,
  operationSchemas,
  providerSettings,
  rights,
  settingGroupNames,
  settingLabels,
} from './src/node/operations-of-contract.ts'

/** The list of the screens names every operation that they call; the screens themselves say how. */
const screenSources = () =>
  globSync('src/**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .filter((path) => !/screens\/[\w-]*screens\.ts$/.test(path.replaceAll('\\', '/')))
    .map((path) => readFileSync(join(import.meta.dirname, path), 'utf8'))

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Modules that are made of the contract, so that the browser loads a few kilobytes of it in place of all. */
function contractModules(): Plugin {
  const modules: Readonly<Record<string, () => string>> = {
    'virtual:operations': () =>
      `export const operations = ${JSON.stringify(operationTable())}\nexport const rights = ${JSON.stringify(rights())}`,
    'virtual:provider-settings': () =>
      `export const providers = JSON.parse(${JSON.stringify(JSON.stringify(providerSettings()))})`,
    'virtual:imported-user': () => `export const line = JSON.parse(${JSON.stringify(JSON.stringify(importedUser()))})`,
    'virtual:setting-labels': () =>
      [
        `import { translate } from '/src/texts/translate.ts'`,
        `const english = ${JSON.stringify(settingLabels())}`,
        `export const labels = Object.fromEntries(Object.entries(english).map(([name, label]) => [name, translate(label)]))`,
        `export const groups = ${JSON.stringify(settingGroupNames())}`,
      ].join('\n'),
    'virtual:texts-de/0': () => translationModule('de', 0),
    'virtual:texts-de/1': () => translationModule('de', 1),
    'virtual:operation-schemas': () =>
      `export const schemas = JSON.parse(${JSON.stringify(JSON.stringify(operationSchemas(screenSources())))})`,
  }
  return {
    name: 'bailiwick:contract',
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)]?.(),
  }
}

/** Texts are translated where they are shown; the sources are written in English. */
const translatedTexts: Plugin = {
  name: 'bailiwick:texts',
  enforce: 'pre',
  transform(code, id) {
    const wrapped = wrapModule(code, id)
    return wrapped === undefined ? undefined : { code: wrapped, map: null }
  },
}

/** Compresses what is served, once; the best quality would take four times as long for 7 %. The service decompresses it for clients that do not read Brotli. */
function compressed(): Plugin {
  return {
    name: 'bailiwick:compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      for (const name of readdirSync(assets)) {
        const file = join(assets, name)
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), brotli))
        rmSync(file)
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [translatedTexts, contractModules(), compressed()],
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // A script that is inlined would need a policy of its own.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // "use client" tells of libraries for servers; nothing of the console runs on one.
      onLog(level, log, handle) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
      },
    },
  },
})
