// Domains that no single organization can own. The proof by DNS is what keeps them from being taken; this check refuses them at once, and
// also covers names below which anybody can publish records.

/** Domains where anybody can have an address: the largest providers of e-mail. */
const publicProviders = new Set(
  `gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.it
  hotmail.es live.com live.co.uk live.de live.fr live.nl msn.com passport.com yahoo.com yahoo.co.uk yahoo.co.in yahoo.co.jp
  yahoo.com.br yahoo.com.ar yahoo.de yahoo.es yahoo.fr yahoo.it yahoo.ca ymail.com rocketmail.com aol.com aim.com icloud.com
  me.com mac.com privaterelay.appleid.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io
  gmx.de gmx.net gmx.com gmx.at gmx.ch web.de t-online.de freenet.de arcor.de posteo.de posteo.net mailbox.org email.de
  mail.com email.com fastmail.com fastmail.fm hey.com hushmail.com zoho.com zohomail.com zohomail.eu yandex.com yandex.ru ya.ru
  mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru ukr.net i.ua qq.com foxmail.com 163.com 126.com yeah.net sina.com
  sohu.com 139.com 189.cn aliyun.com naver.com hanmail.net daum.net nate.com rediffmail.com orange.fr wanadoo.fr free.fr sfr.fr
  laposte.net libero.it virgilio.it alice.it tin.it tiscali.it wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz email.cz
  bol.com.br uol.com.br terra.com.br ig.com.br comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net
  earthlink.net juno.com btinternet.com sky.com virginmedia.com talktalk.net ntlworld.com shaw.ca rogers.com sympatico.ca
  bigpond.com optusnet.com.au xtra.co.nz bluewin.ch ziggo.nl kpnmail.nl telenet.be skynet.be duck.com mozmail.com
  simplelogin.com mailinator.com guerrillamail.com 10minutemail.com temp-mail.org yopmail.com trashmail.com sharklasers.com`.split(
    /\s+/,
  ),
)

/** Domains where anybody can have a name: hosts of pages and dynamic DNS services. */
const sharedSuffixes = new Set(
  `github.io gitlab.io pages.dev workers.dev netlify.app vercel.app herokuapp.com web.app firebaseapp.com appspot.com azurewebsites.net
  cloudfront.net blogspot.com wordpress.com wixsite.com weebly.com duckdns.org dyndns.org dynu.net ddns.net no-ip.org no-ip.com
  hopto.org zapto.org sytes.net mooo.com chickenkiller.com eu.org pp.ua us.kg ngrok.io ngrok.app`.split(/\s+/),
)

/** `co.uk`, `com.au`: the label between a country's own domain and the names that are registered below it. */
const countrySuffix = /^(?:ac|co|com|edu|gob|gouv|gov|govt|ltd|mil|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/

/** Returns undefined for a name that an organization can claim; otherwise why it cannot, as a rule that follows the field's name. */
export function whyRefused(name: string): string | undefined {
  if (publicProviders.has(name)) return 'is a public e-mail domain, where everyone can get an address'
  if (sharedSuffixes.has(name) || countrySuffix.test(name))
    return 'is a public suffix, under which everyone can register a name'
  return undefined
}
