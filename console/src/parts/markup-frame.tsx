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
    // Before its page is there, the frame has an empty one, which is under the policy of the console.
    if (frame.current === null || page?.location.pathname !== address) return
    page.documentElement.innerHTML = html
    // Its links lead nowhere in a preview.
    page.documentElement.inert = true
    frame.current.height = String(Math.min(Math.max(page.documentElement.scrollHeight, 120), 1200))
  }
  useEffect(show, [html])
  return <iframe ref={frame} className="markup-frame" title={title} src={address} onLoad={show} />
}
