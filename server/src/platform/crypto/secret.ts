import { inspect } from 'node:util'

const shown = '[secret]'

/** A value that is never shown in text, JSON, logs or the console. Only `reveal()` returns it, so that every use can be searched for. */
export class Secret<Value = string> {
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  reveal(): Value {
    return this.#value
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [inspect.custom](): string {
    return shown
  }
}
