import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useEffect, useId, useRef, type ReactNode } from 'react'
import { CHAT_MESSAGE_MAX, ChatMessage, type ChatEntry } from '#contract/messages.ts'
import { SECOND_MS } from '#shared/time.ts'
import { useSite } from '#web/api/use-site.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, SubmitButton } from '#web/ui/ApiForm.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { EmailField } from '#web/ui/EmailField.tsx'
import { FormContext } from '#web/ui/form-context.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { say, sayKnown } from '#words/say.ts'
import { dateFormat } from '#shared/language.ts'

/** Only while the panel is open and the page visible. */
const POLL_MS = 5 * SECOND_MS

const chatQuery = { ...query('GET /api/chat', { query: {} }), refetchInterval: POLL_MS, staleTime: 0 }

export function ChatPanel({ onClose }: { onClose: () => void }) {
  const { data, isError } = useQuery(chatQuery)
  const titleId = useId()
  const messages = data?.messages ?? []
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog over the page closes first.
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])
  return (
    <div
      role="dialog"
      aria-labelledby={titleId}
      className="flex max-h-[min(38rem,calc(100dvh-7rem))] w-[min(24rem,calc(100vw-2rem))] flex-col overflow-hidden rounded-card border border-line bg-surface text-ink shadow-2xl"
    >
      <header className="on-dark flex items-center justify-between gap-4 bg-charcoal py-2 pr-2 pl-5 text-ivory">
        <h2 id={titleId} className="text-[1.125rem]">
          {say('Chat with us')}
        </h2>
        <IconButton icon="close" label={say('Close the chat')} onClick={onClose} />
      </header>
      <Lines messages={messages} />
      {isError && (
        <p role="alert" className="px-5 pb-2 text-sm text-danger">
          {say('The chat could not be loaded. Please check your connection.')}
        </p>
      )}
      <ChatInput hasEmail={data?.hasEmail ?? false} isFirst={messages.length === 0} />
    </div>
  )
}

function Lines({ messages }: { messages: readonly ChatEntry[] }) {
  const { responsePromise } = useSite()
  const end = useRef<HTMLDivElement>(null)
  const lastId = messages.at(-1)?.id
  useEffect(() => {
    if (lastId !== undefined) end.current?.scrollIntoView({ block: 'nearest' })
  }, [lastId])
  return (
    <div
      role="log"
      aria-label={say('Conversation')}
      // Arrow keys scroll only focusable elements.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="scroll-area min-h-0 flex-1 overflow-y-auto p-5"
    >
      <ul className="grid gap-3">
        <Line author="shop">
          {say('Hi. Ask us anything about an order, a size or an animal. We reply here within {hours} hours, {days}.', {
            hours: responsePromise.withinHours,
            days: sayKnown(responsePromise.days),
          })}
        </Line>
        {messages.map(({ id, author, message, timestamp }) => (
          <Line key={id} author={author} timestamp={timestamp}>
            {message}
          </Line>
        ))}
      </ul>
      <div ref={end} />
    </div>
  )
}

const timeOf = (at: string) =>
  dateFormat({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(new Date(at))

type LineProps = { author: ChatEntry['author']; timestamp?: string; children: ReactNode }

const Line = ({ author, timestamp, children }: LineProps) => (
  <li className={classNames('max-w-[85%]', author === 'visitor' ? 'justify-self-end' : 'justify-self-start')}>
    <p
      className={classNames(
        'rounded-card px-4 py-2.5 text-[0.9375rem] whitespace-pre-line wrap-anywhere',
        author === 'visitor' ? 'bg-button text-ivory' : 'bg-button-quiet text-ink',
      )}
    >
      <span className="sr-only">{author === 'visitor' ? say('You: ') : say('The shop: ')}</span>
      {children}
    </p>
    {timestamp && (
      <time dateTime={timestamp} className="mt-0.5 block text-[0.8125rem] text-ink-soft">
        {timeOf(timestamp)}
      </time>
    )}
  </li>
)

function ChatInput({ hasEmail, isFirst }: { hasEmail: boolean; isFirst: boolean }) {
  const api = useApi()
  const queries = useQueryClient()
  const message = useRef<HTMLTextAreaElement>(null)
  useEffect(() => message.current?.focus(), [])

  const send = async (body: ChatMessage) => {
    queries.setQueryData(chatQuery.queryKey, await api('POST /api/chat', { body }))
  }

  return (
    <ApiForm
      schema={ChatMessage}
      send={send}
      clears
      aria-label={say('Write to us')}
      className="grid gap-3 border-t border-line p-4"
    >
      <TextArea
        ref={message}
        label={say('Message')}
        name="message"
        rows={2}
        maxLength={CHAT_MESSAGE_MAX}
        required
        hint={isFirst ? say('Never send card numbers.') : undefined}
      />
      {!hasEmail && <EmailField optional hint={say('We’ll email you our reply too.')} />}
      <SendError />
      <SubmitButton>{say('Send')}</SubmitButton>
    </ApiForm>
  )
}

function SendError() {
  const { problem } = use(FormContext)
  return (
    problem && (
      <p role="alert" className="text-sm text-danger">
        {problem}
      </p>
    )
  )
}
