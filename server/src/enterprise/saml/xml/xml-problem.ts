/** Why a document is refused before anything in it is believed. */
export type XmlProblemCode = 'malformed' | 'too_large' | 'doctype' | 'entity' | 'processing_instruction' | 'cdata'

export class XmlProblem extends Error {
  readonly code: XmlProblemCode

  constructor(code: XmlProblemCode, message: string) {
    super(message)
    this.name = 'XmlProblem'
    this.code = code
  }
}
