// Parses the User-Agent header of common browsers, for people who look through their sessions. The result is null where it is unsure;
// nothing is decided by it.
export interface UserAgent {
  readonly browser: string | null
  readonly device: 'desktop' | 'mobile' | 'tablet' | null
  readonly engine: string | null
  readonly os: string | null
  readonly cpu: string | null
}

type Rule = readonly [pattern: RegExp, name: string]

/** The first match counts: browsers that name others for compatibility come before the others. */
const browsers: readonly Rule[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\/(\d+)/, 'Edge'],
  [/\b(?:OPR|OPT|OPiOS)\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\bVivaldi\/(\d+)/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)(?:\.[\d.]*)? (?:Mobile\/\w+ )?Safari\//, 'Safari'],
]

const systems: readonly Rule[] = [
  [/\bWindows NT\b/, 'Windows'],
  [/\((?:iPhone|iPod)\b/, 'iOS'],
  [/\(iPad\b/, 'iPadOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const cpus: readonly Rule[] = [
  [/\b(?:x86_64|x64|Win64|WOW64|amd64)\b/i, 'x86_64'],
  [/\b(?:aarch64|arm64|armv8\w*)\b/i, 'arm64'],
  [/\barmv7\w*\b/i, 'arm'],
  [/\b(?:i[3-6]86)\b/, 'x86'],
]

const find = (rules: readonly Rule[], ua: string) => rules.find(([pattern]) => pattern.test(ua))

/** On Apple's mobile systems every browser runs on WebKit. */
function engineOf(ua: string, os: string | null): string | null {
  if (os === 'iOS' || os === 'iPadOS') return 'WebKit'
  if (/\bGecko\/\d/.test(ua) && /\bFirefox\//.test(ua)) return 'Gecko'
  if (/\b(?:Headless)?Chrome\/\d/.test(ua)) return 'Blink'
  return /\bAppleWebKit\/\d/.test(ua) ? 'WebKit' : null
}

function deviceOf(ua: string, os: string | null): UserAgent['device'] {
  switch (os) {
    case 'iOS':
      return 'mobile'
    case 'iPadOS':
      return 'tablet'
    case 'Android':
      return /\bMobile\b/.test(ua) ? 'mobile' : 'tablet'
    case null:
      return null
    default:
      return 'desktop'
  }
}

/** Programs that are not browsers are not described: everything is null. */
export function parseUserAgent(ua: string | null): UserAgent {
  const browser = ua === null ? undefined : find(browsers, ua)
  if (ua === null || browser === undefined) return { browser: null, device: null, engine: null, os: null, cpu: null }
  const [pattern, name] = browser
  const os = find(systems, ua)?.[1] ?? null
  return {
    browser: `${name} ${pattern.exec(ua)?.[1] ?? ''}`.trimEnd(),
    device: deviceOf(ua, os),
    engine: engineOf(ua, os),
    os,
    // Macs always say Intel, whatever processor they have.
    cpu: os === 'macOS' ? null : (find(cpus, ua)?.[1] ?? null),
  }
}
