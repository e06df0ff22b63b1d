// Counts the elements that a document draws. `use` repeats a part of the document, even one with further uses, so a few lines could make a
// renderer draw billions of elements.

export interface DrawnElement {
  readonly localName: string
  readonly parentElement: DrawnElement | null
  getAttribute(name: string): string | null
  getAttributeNS(namespace: string, name: string): string | null
}

/** Its message says which rule the document breaks. */
export class SvgProblem extends Error {}

export const elementsMax = 50_000
/** How deeply uses may lead to further uses. */
const nestedMax = 32
const xlink = 'http://www.w3.org/1999/xlink'

export const isLocalReference = (value: string): boolean => /^#[\w:.-]+$/.test(value.trim())

/** Maps each use that shows a part of the document to that part. */
function shownParts(elements: readonly DrawnElement[]): Map<DrawnElement, DrawnElement> {
  const uses = elements.filter(({ localName }) => localName === 'use')
  const named = new Map<string, DrawnElement>()
  // Of several parts with one name, the first counts.
  for (const element of uses.length === 0 ? [] : elements.toReversed())
    named.set(element.getAttribute('id') ?? '', element)
  const parts = new Map<DrawnElement, DrawnElement>()
  for (const use of uses) {
    const reference = use.getAttribute('href') ?? use.getAttributeNS(xlink, 'href') ?? ''
    const part = isLocalReference(reference) ? named.get(reference.trim().slice(1)) : undefined
    if (part !== undefined) parts.set(use, part)
  }
  return parts
}

interface Drawn {
  readonly elements: number
  /** Counts the elements drawn by nested uses. */
  readonly depth: number
}

/**
 * @param elements all elements of the document, each before its children.
 * @throws SvgProblem if more would be drawn than allowed, or something contains itself.
 */
export function checkDrawnElements(elements: readonly DrawnElement[]): void {
  const parts = shownParts(elements)
  const [root] = elements
  if (parts.size === 0 || root === undefined) return
  const sizes = new Map<DrawnElement, number>()
  for (const element of elements.toReversed()) {
    const size = (sizes.get(element) ?? 0) + 1
    sizes.set(element, size)
    const { parentElement: parent } = element
    if (parent !== null) sizes.set(parent, (sizes.get(parent) ?? 0) + size)
  }
  const usesIn = new Map<DrawnElement, DrawnElement[]>([root, ...parts.values()].map((part) => [part, []]))
  for (const use of parts.keys()) {
    for (let at: DrawnElement | null = use; at !== null; at = at.parentElement) usesIn.get(at)?.push(use)
  }

  const known = new Map<DrawnElement, Drawn>()
  function count(part: DrawnElement, nested: number): Drawn {
    let drawn = known.get(part)
    if (nested + (drawn?.depth ?? 0) > nestedMax) {
      throw new SvgProblem(`must not nest <use> elements deeper than ${nestedMax}, or within themselves`)
    }
    if (drawn !== undefined) return drawn
    drawn = { elements: sizes.get(part) ?? 1, depth: 0 }
    for (const use of usesIn.get(part) ?? []) {
      const below = count(parts.get(use) ?? part, nested + 1)
      drawn = { elements: drawn.elements + below.elements, depth: Math.max(drawn.depth, below.depth + 1) }
      if (drawn.elements > elementsMax) throw new SvgProblem(`must not draw more than ${elementsMax} elements`)
    }
    known.set(part, drawn)
    return drawn
  }
  count(root, 0)
}

/** The first message of a thread; the time limit of documents starts after it. */
export const ready = 'ready'
