// Markup that others have written, in a frame of its own: no script runs in it, and its styles reach nothing else.
import { useEffect, useRef } from 'react'

const address = '/console/frame'

interface MarkupFrameProps {
  readonly title: string
  readonly html: string
}

export function MarkupFrame({ title, html }: MarkupFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  function show() {
    const page = frame.current?.contentDocument
    // Until its page has loaded, the frame has an empty one, to which the console's policy applies.
    if (frame.current === null || page?.location.pathname !== address) return
    page.documentElement.innerHTML = html
    // The links of a preview lead nowhere.
    page.documentElement.inert = true
    frame.current.height = String(Math.min(Math.max(page.documentElement.scrollHeight, 120), 1200))
  }
  useEffect(show, [html])
  return <iframe ref={frame} className="markup-frame" title={title} src={address} onLoad={show} />
}
