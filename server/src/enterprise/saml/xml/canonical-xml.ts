// Exclusive XML Canonicalization 1.0 without comments (https://www.w3.org/TR/xml-exc-c14n/), the only form in which signatures are checked.
// What is read of a signed element is read from these bytes, so that nothing can be read that was not signed.
import { charactersMax } from './read-xml.ts'
import { XmlProblem } from './xml-problem.ts'
import { type XmlAttribute, type XmlElement, isElement } from './xml-tree.ts'

export interface Canonical {
  /** A child of the element that is left out: the signature that stands in what it signs. */
  readonly without?: XmlElement
  /** The prefixes that are written where they are in scope, used or not. '#default' is the default namespace. */
  readonly inclusivePrefixes?: readonly string[]
}

type Namespaces = ReadonlyMap<string, string>
interface Writer {
  text: string
  readonly without: XmlElement | undefined
  readonly inclusive: readonly string[]
}

const textEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const valueEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}
const escapedText = (text: string) => text.replaceAll(/[&<>\r]/g, (character) => textEscapes[character] ?? '')
export const escapedValue = (value: string) =>
  value.replaceAll(/[&<"\t\n\r]/g, (character) => valueEscapes[character] ?? '')

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b))
const byName = (a: XmlAttribute, b: XmlAttribute) => byText(a.namespace, b.namespace) || byText(a.local, b.local)

/** Returns the declarations that the element needs and that no element around it has written. */
function newDeclarations(element: XmlElement, written: Namespaces, inclusive: readonly string[]) {
  const needed: [prefix: string, namespace: string][] = []
  function need(prefix: string) {
    const namespace = element.scope.get(prefix) ?? ''
    const isNew = prefix !== 'xml' && (written.get(prefix) ?? '') !== namespace
    if (isNew && needed.every(([other]) => other !== prefix)) needed.push([prefix, namespace])
  }
  need(element.prefix)
  for (const { prefix } of element.attributes) if (prefix !== '') need(prefix)
  for (const prefix of inclusive) if (element.scope.has(prefix)) need(prefix)
  return needed.length > 1 ? needed.toSorted(([a], [b]) => byText(a, b)) : needed
}

const qualified = ({ prefix, local }: { readonly prefix: string; readonly local: string }) =>
  prefix === '' ? local : `${prefix}:${local}`

/** Namespaces that are declared once can be written thousands of times. */
function append(writer: Writer, text: string) {
  writer.text += text
  if (writer.text.length > charactersMax) throw new XmlProblem('too_large', 'its canonical form is too long')
}

/** The depth of elements is bounded where they are read. */
function write(writer: Writer, element: XmlElement, outer: Namespaces) {
  const { without, inclusive } = writer
  const declarations = newDeclarations(element, outer, inclusive)
  const written = declarations.length === 0 ? outer : new Map([...outer, ...declarations])
  const name = qualified(element)
  append(writer, `<${name}`)
  for (const [prefix, namespace] of declarations)
    append(writer, ` ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${escapedValue(namespace)}"`)
  const { attributes } = element
  for (const each of attributes.length > 1 ? attributes.toSorted(byName) : attributes)
    append(writer, ` ${qualified(each)}="${escapedValue(each.value)}"`)
  append(writer, '>')
  for (const child of element.children) {
    if (!isElement(child)) append(writer, escapedText(child))
    else if (child !== without) write(writer, child, written)
  }
  append(writer, `</${name}>`)
}

export function canonicalXml(element: XmlElement, { without, inclusivePrefixes = [] }: Canonical = {}): string {
  const inclusive = inclusivePrefixes.map((prefix) => (prefix === '#default' ? '' : prefix))
  const writer: Writer = { text: '', without, inclusive }
  write(writer, element, new Map())
  return writer.text
}
