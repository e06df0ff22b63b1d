// A document as it was read: elements, attributes and text, with every name resolved to its namespace.

export interface XmlAttribute {
  /** Empty for an attribute without one. */
  readonly prefix: string
  readonly local: string
  readonly namespace: string
  readonly value: string
}

export interface XmlElement {
  readonly prefix: string
  readonly local: string
  readonly namespace: string
  /** Without the declarations of namespaces. */
  readonly attributes: readonly XmlAttribute[]
  /** The namespaces that are in scope here, by prefix; the default one has the prefix ''. */
  readonly scope: ReadonlyMap<string, string>
  readonly children: readonly (XmlElement | string)[]
}

export const isElement = (node: XmlElement | string): node is XmlElement => typeof node !== 'string'

export const elementsIn = ({ children }: XmlElement): XmlElement[] => children.filter(isElement)

export const isNamed = (element: XmlElement, namespace: string, local: string) =>
  element.local === local && element.namespace === namespace

export const childrenNamed = (element: XmlElement, namespace: string, local: string) =>
  elementsIn(element).filter((child) => isNamed(child, namespace, local))

/** Returns the value of an attribute without a namespace. */
export const attribute = ({ attributes }: XmlElement, name: string): string | undefined =>
  attributes.find(({ local, namespace }) => local === name && namespace === '')?.value

/** Returns the text of an element without elements inside, and undefined for one that has any: reading around them would change its meaning. */
export const plainText = ({ children }: XmlElement): string | undefined =>
  children.every((child) => typeof child === 'string') ? children.join('').trim() : undefined

/** Returns the element and all elements in it, in the order of the document. */
export function allElements(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  const open = [root]
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    found.push(element)
    open.push(...elementsIn(element).toReversed())
  }
  return found
}
