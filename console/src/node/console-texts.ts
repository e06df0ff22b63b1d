// All texts of the console, and what a language makes of them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textKey } from '../texts/text-key.ts'
import { words } from '../texts/words.ts'
import { findTexts, wrapTexts } from './find-texts.ts'
import { readServiceTexts } from './service-texts.ts'

const repository = join(import.meta.dirname, '../../..')
/** The help of settings is part of the contract, and shown as it is there. */
const places = ['console/src/**/*.{ts,tsx}', 'contract/src/settings/*.ts']
const isOwn = /\/console\/src\/(?!node\/|texts\/)[^?]*\.tsx?$|\/contract\/src\/settings\/[^?]*\.ts$/

const hasTexts = (file: string) => isOwn.test(file) && !file.endsWith('.d.ts') && !file.endsWith('.test.ts')

/** What looks like a text and is code: addresses, samples, classes, names of other systems. */
const patternsOfCode = [
  /^https?:\/\/\S+$|^\S+@\S+$|^\.?[\w-]+(?:\.[\w-]+)+$|^#[\da-f]{6}$|^[A-Z_\d]+$|^\S*_\S*$/,
  /^(?:import|export|await|const|for await|return|file:|curl -X|Bearer|-[dH]|:root) |^<\w+|^\.\w+\(|^[,{"][^ ]* *[:"\n]|=>|^Sign-\$1$/,
  /^button \w+$|^main h1$|^\(prefers-|^\(forced-|^\d+px|^\{0\}-\w+(?: \{1\}-\w+)?$|^Default: (?:null|the tenant)|^, \{0\}:/,
  /emailaddress|displayname|familyname|phonenumber|emailconfirmed|benutzername|passworddigest|usermetadata|externalid|zeitzone|rolename|vorname|signupdate|passwort$|sprache$|^status state$/,
]
const isCode = (text: string) => patternsOfCode.some((pattern) => pattern.test(text))

/** Returns the English texts, each once. */
export function readTexts(): readonly string[] {
  const files = globSync(places, { cwd: repository })
    .map((file) => join(repository, file))
    .filter((file) => hasTexts(file.replaceAll('\\', '/')))
    .toSorted()
  const found = files.flatMap((file) => findTexts(readFileSync(file, 'utf8'), file).map(({ text }) => text))
  return [...new Set([...words, ...readServiceTexts(), ...found])].filter((text) => !isCode(text))
}

const folder = join(import.meta.dirname, '../texts')
export type Translations = Readonly<Record<string, string>>

/** Returns the translations of a language by their English texts. */
export const readTranslations = (language: string): Translations =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Translations

/** Two files at the same time are there sooner than one of twice the size, and within what a part of the console may have. */
const parts = 2

/** Returns a part of a language as a module, which the browser loads. @param part from 0 on. */
export function translationModule(language: string, part: number): string {
  const entries = Object.entries(readTranslations(language)).map(([text, translated]) => [textKey(text), translated])
  if (new Set(entries.map(([key]) => key)).size !== entries.length) {
    throw new Error(`two texts of ${language}.json have the same key: reword one of them`)
  }
  const own = entries.filter((_entry, index) => index % parts === part)
  return `export const translations = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(own)))})`
}

/** Wraps the texts of a module that the browser loads; undefined for one without texts. */
export const wrapModule = (code: string, file: string): string | undefined =>
  hasTexts(file.replaceAll('\\', '/')) ? wrapTexts(code, file, join(folder, 'translate.ts')) : undefined
