// JSON that strangers send, and the names in it that must never become properties of our objects.
import { bad } from './scim-error.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

/** Writing to these would change what other objects inherit (CVE-2026-48170). */
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** RFC 7643 needs 4: resource, values, value, sub-attribute. PATCH adds 3. */
const depthMax = 12

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws ScimError invalidSyntax for a name that is never an attribute. */
export function refuseForbiddenName(name: string): void {
  if (forbidden.has(name)) throw bad('invalidSyntax', `${name} is not the name of an attribute.`)
}

function refuseHostile(value: Json, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > depthMax) throw bad('invalidSyntax', `The body has more than ${depthMax} levels.`)
  if (Array.isArray(value)) {
    for (const each of value) refuseHostile(each, depth + 1)
    return
  }
  for (const [name, each] of Object.entries(value as JsonObject)) {
    refuseForbiddenName(name)
    refuseHostile(each, depth + 1)
  }
}

/**
 * Returns the object that a body contains.
 * @throws ScimError invalidSyntax
 */
export function parseBody(text: string): JsonObject {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw bad('invalidSyntax', 'The body is not JSON.')
  }
  if (!isObject(value)) throw bad('invalidSyntax', 'The body is not a JSON object.')
  refuseHostile(value, 0)
  return value
}
