// Brand values are inserted into the style sheets of sign-in pages. Values that could end their declaration are refused when they are set;
// of the others, only those that match these grammars (CSS Color 4, CSS Values 4) are applied.
import { codePointLength, hasControlCharacters, isWellFormedText } from './text.ts'

const lengthMax = 200
const breaksOut = /[;{}<>\\@"'`]|\/\*|\*\/|url\(/i

export const brandValueRule =
  'must be a CSS value of at most 200 characters without ; { } < > \\ @, quotes, comments or url('

export const isBrandValue = (value: string): boolean =>
  codePointLength(value) <= lengthMax &&
  !breaksOut.test(value) &&
  !hasControlCharacters(value) &&
  isWellFormedText(value)

const colorNames = new Set(
  `transparent currentcolor aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown
  burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
  darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue
  darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite
  forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory
  khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen
  lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime
  limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
  mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
  olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
  powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
  slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke
  yellow yellowgreen`.split(/\s+/),
)

const colorSpaces = new Set(
  'srgb srgb-linear display-p3 display-p3-linear a98-rgb prophoto-rgb rec2020 xyz xyz-d50 xyz-d65'.split(' '),
)

const number = '[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:e[+-]?\\d+)?'
const amount = `${number}%?`
const hue = `${number}(?:deg|grad|rad|turn)?`
// oxlint-disable-next-line bailiwick/linear-expressions -- values have at most 200 characters
const whole = (source: string) => new RegExp(`^(?:${source})$`, 'i')
const isNumber = whole(number)
const isPercentage = whole(`${number}%`)
const isHue = whole(hue)
const isAmount = whole(amount)
const isHueOrNone = whole(`${hue}|none`)
const isAmountOrNone = whole(`${amount}|none`)

const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const bareTriplet = whole(`${number}(?:deg)? +${number}% +${number}%`)
const functionCall = /^([a-z]+)\(([^()]*)\)$/i
const units = 'px|r?em|r?ex|r?ch|r?cap|r?ic|r?lh|[sld]?v(?:w|h|i|b|min|max)|cq(?:w|h|i|b|min|max)|cm|mm|q|in|pt|pc|%'
const length = whole(`\\+?(?:(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:${units})|0+(?:\\.0+)?)`)

type Components = readonly [RegExp, RegExp, RegExp]
type Notations = Readonly<Record<string, readonly Components[]>>

const threeAmounts: Components = [isAmountOrNone, isAmountOrNone, isAmountOrNone]
const hueFirst: Components = [isHueOrNone, isAmountOrNone, isAmountOrNone]
const hueLast: Components = [isAmountOrNone, isAmountOrNone, isHueOrNone]
const spaced: Notations = {
  rgb: [threeAmounts],
  rgba: [threeAmounts],
  lab: [threeAmounts],
  oklab: [threeAmounts],
  hsl: [hueFirst],
  hsla: [hueFirst],
  hwb: [hueFirst],
  lch: [hueLast],
  oklch: [hueLast],
}

const numbersOrPercentages: readonly Components[] = [
  [isNumber, isNumber, isNumber],
  [isPercentage, isPercentage, isPercentage],
]
const hueAndPercentages: readonly Components[] = [[isHue, isPercentage, isPercentage]]
/** The older notation, without `none`, and without mixing numbers and percentages. */
const withCommas: Notations = {
  rgb: numbersOrPercentages,
  rgba: numbersOrPercentages,
  hsl: hueAndPercentages,
  hsla: hueAndPercentages,
}

const fits = (components: Components, values: readonly string[]) =>
  values.length === components.length && components.every((component, index) => component.test(values[index] ?? ''))

const isNotation = (notations: Notations, name: string, values: readonly string[]) =>
  Object.hasOwn(notations, name) && (notations[name] ?? []).some((components) => fits(components, values))

function isCommaColor(name: string, body: string): boolean {
  const values = body.split(',').map((value) => value.trim())
  const alpha = values[3] ?? '1'
  return values.length <= 4 && isAmount.test(alpha) && isNotation(withCommas, name, values.slice(0, 3))
}

function isSpacedColor(name: string, body: string): boolean {
  const [channels = '', alpha = '1', ...more] = body.split('/').map((value) => value.trim())
  if (more.length > 0 || !isAmountOrNone.test(alpha)) return false
  const values = channels.split(/ +/)
  if (name !== 'color') return isNotation(spaced, name, values)
  const [space = '', ...components] = values
  return colorSpaces.has(space.toLowerCase()) && fits(threeAmounts, components)
}

function isColorFunction(value: string): boolean {
  const [, name = '', body = ''] = functionCall.exec(value) ?? []
  return (body.includes(',') ? isCommaColor : isSpacedColor)(name.toLowerCase(), body)
}

/** Returns a value as a colour for style sheets, with a bare triplet written as `hsl(H S% L%)`, or undefined if it is not a colour. */
export function cssColor(value: string): string | undefined {
  if (!isBrandValue(value)) return undefined
  const text = value.trim()
  if (bareTriplet.test(text)) return `hsl(${text})`
  return hex.test(text) || colorNames.has(text.toLowerCase()) || isColorFunction(text) ? text : undefined
}

export const isColor = (value: string): boolean => cssColor(value) !== undefined

/** A radius: one length or percentage that is not negative. */
export const isLength = (value: string): boolean => isBrandValue(value) && length.test(value.trim())
