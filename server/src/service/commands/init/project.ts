// The app in a folder: what it is made with, its files, and the texts that are added to it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandRefused } from '../../outcome.ts'

export const frameworks = ['express', 'next', 'vite-react'] as const
export type Framework = (typeof frameworks)[number]

export interface PackageManifest {
  readonly name?: string
  readonly type?: string
  readonly main?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** A file as it will be; `before` is undefined for a new one. */
export interface Change {
  readonly file: string
  readonly before: string | undefined
  readonly after: string
}

/** What makes an app one whose users sign in. */
export interface AppPlan {
  readonly changes: readonly Change[]
  readonly packages: readonly string[]
  /** The address at which the app is opened. */
  readonly appUrl: string
  readonly run: string
  /** The prefix of the variables that pages may see; without one the app is a server, which gets the secret key, too. */
  readonly pagePrefix?: string
}

export const template = (name: string) => readFileSync(join(import.meta.dirname, 'templates', `${name}.txt`), 'utf8')

/** Reads the app's files, those that a new app begins with included. */
export class Project {
  readonly folder: string
  readonly #starters: ReadonlyMap<string, string>

  constructor(folder: string, starters: ReadonlyMap<string, string> = new Map()) {
    this.folder = folder
    this.#starters = starters
  }

  has(file: string): boolean {
    return this.#starters.has(file) || existsSync(join(this.folder, file))
  }

  /** The text on the disk; undefined if there is no such file. */
  stored(file: string): string | undefined {
    const path = join(this.folder, file)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }

  text(file: string): string {
    return this.#starters.get(file) ?? this.stored(file) ?? ''
  }

  /** Returns the first of the files that there is. */
  find(files: readonly string[]): string | undefined {
    return files.find((file) => this.has(file))
  }

  change(file: string, after: string): Change {
    return { file, before: this.stored(file), after }
  }

  /** The files of a new app that nothing else changes. */
  starterChanges(changed: readonly Change[]): readonly Change[] {
    return [...this.#starters]
      .filter(([file]) => changed.every((change) => change.file !== file))
      .map(([file, text]) => this.change(file, text))
  }

  manifest(): PackageManifest | undefined {
    const text = this.text('package.json')
    if (text === '') return undefined
    try {
      return JSON.parse(text) as PackageManifest
    } catch {
      throw new CommandRefused('package.json is not JSON')
    }
  }
}

/** Returns what the app is made with; undefined if that is none of what is known here. */
export function detectFramework({ dependencies, devDependencies }: PackageManifest): Framework | undefined {
  const all = { ...dependencies, ...devDependencies }
  if ('next' in all) return 'next'
  if ('vite' in all && 'react' in all) return 'vite-react'
  return 'express' in all ? 'express' : undefined
}
