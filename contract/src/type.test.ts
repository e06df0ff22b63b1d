import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import TypeBox, { type TSchema } from 'typebox'
import { Type } from './type.ts'

/** Returns everything in a schema, including hidden marks, except the order of properties. */
const anatomy = (schema: object): unknown =>
  Object.fromEntries(
    Object.entries(Object.getOwnPropertyDescriptors(schema))
      .map(([name, { value, enumerable }]) => {
        const inner: unknown = typeof value === 'object' && value !== null ? anatomy(value as object) : value
        return [name, { inner, enumerable }] as const
      })
      .toSorted(([one], [other]) => one.localeCompare(other)),
  )

/** The same shape by either builder. */
function shapeBy(builder: Pick<typeof Type, 'Unsafe' | 'Object' | 'Array' | 'Union' | 'Optional'>): TSchema[] {
  const name = builder.Unsafe<string>({ type: 'string', maxLength: 3 })
  const tags = builder.Array(name, { maxItems: 2 })
  const object = builder.Object({ name, tags: builder.Optional(tags) }, { additionalProperties: false })
  return [
    name,
    tags,
    object,
    builder.Object({}),
    builder.Object({ nick: builder.Optional(name) }),
    builder.Optional(object),
    builder.Unsafe<object | null>({ ...object, type: ['object', 'null'] }),
    builder.Union([object, name]),
  ]
}

describe('the builders of the shapes', () => {
  it("make TypeBox's schemas, in its order and with its marks", () => {
    const ours = shapeBy(Type)
    const theirs = shapeBy(TypeBox as never)
    assert.deepEqual(ours.map(anatomy), theirs.map(anatomy))
    assert.equal(JSON.stringify(ours), JSON.stringify(theirs))
  })

  it('leave their arguments unchanged', () => {
    const schema = Type.Unsafe<string>({ type: 'string' })
    Type.Optional(schema)
    assert.deepEqual(Object.getOwnPropertyNames(schema), ['type', '~unsafe'])
  })

  it('are the only ones that are loaded: TypeBox is only used for its types', () => {
    const folder = fileURLToPath(new URL('.', import.meta.url))
    const sources = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] })
    assert.ok(sources.length > 20)
    const loads = /^import (?!type\b)[^;]*? from 'typebox(?:\/\w+)?'/m
    assert.deepEqual(
      sources.filter((file) => loads.test(readFileSync(folder + file, 'utf8'))),
      [],
    )
  })
})
