import { useState } from 'react'
import { say } from '#words/say.ts'
import { Button, type ButtonVariant } from './Button.tsx'

type Props = {
  text: string
  /** For screen readers. */
  what: string
  variant?: ButtonVariant
}

type Outcome = 'copied' | 'failed'

/** Copies text to the clipboard; where the browser refuses, asks to select it by hand. */
export function CopyButton({ text, what, variant = 'outline' }: Props) {
  const [outcome, setOutcome] = useState<Outcome>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-3">
      <Button variant={variant} onClick={() => void copy()}>
        {outcome === 'copied' ? say('Copied') : say('Copy')}
        <span className="sr-only"> {what}</span>
      </Button>
      <span role="status" className={outcome === 'failed' ? 'text-sm text-ink-soft' : 'sr-only'}>
        {outcome === 'copied' && say('{what} copied', { what })}
        {outcome === 'failed' && say('Couldn’t copy. Please select the text and copy it.')}
      </span>
    </span>
  )
}
