import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { FIND_LENGTH_MIN } from '#contract/admin-find.ts'
import { paths } from '#contract/paths.ts'
import { Form } from '#web/app/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ordersWith, useFind, type FoundRow } from './use-find.ts'

const LABEL = 'Find orders, customers, products, messages'

/** The search of the admin. `/` leads to it from everywhere but a field; without script it finds orders. */
export function FindBox() {
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  // Leaving the field closes the list.
  const go = (to: string) => {
    input.current?.blur()
    void navigate(to)
  }
  const { list, active, idOf, onKey, field, groups, hasMore, isEmpty, text, dismiss, onType, announcement } =
    useFind(go)
  useSlashKey(input)
  const optionsBefore = groups.map((_, at) => groups.slice(0, at).reduce((sum, { rows }) => sum + rows.length, 0))
  const last = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <Form role="search" aria-label="Admin" action={paths.adminOrders} className="relative min-w-0 flex-1 lg:px-9">
      <Icon
        name="search"
        className="pointer-events-none absolute top-1/2 left-2.5 size-4.5 -translate-y-1/2 text-ink-soft lg:left-11.5"
      />
      <input
        {...field}
        ref={input}
        onChange={(event) => onType(event.currentTarget.value)}
        onBlur={dismiss}
        onKeyDown={(event) => {
          if (!onKey(event) && event.key === 'Escape') event.currentTarget.blur()
        }}
        type="search"
        name="q"
        aria-label={LABEL}
        aria-keyshortcuts="/"
        placeholder={LABEL}
        minLength={FIND_LENGTH_MIN}
        maxLength={254}
        autoComplete="off"
        spellCheck={false}
        className="h-9 w-full max-w-[34rem] rounded-card border border-line bg-ground pr-2 pl-8.5 text-base text-ellipsis placeholder:text-ink-soft focus:bg-surface"
      />
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {isEmpty && (
        <p className={classNames(panelClass, 'px-4 py-3 text-[0.875rem] text-ink-soft')}>
          Nothing has “{text}” in it. Orders are found by number, name, email or payment ID.
        </p>
      )}
      {groups.length > 0 && (
        <div id={list} role="listbox" aria-label="Found" className={classNames(panelClass, 'p-1.5')}>
          {groups.map(({ title, rows }, at) => (
            <Group key={title} title={title}>
              {rows.map((row, index) => {
                const place = (optionsBefore[at] ?? 0) + index
                return (
                  <Option key={row.to} id={idOf(place)} isActive={place === active} onChoose={() => go(row.to)}>
                    <RowText row={row} />
                  </Option>
                )
              })}
            </Group>
          ))}
          {hasMore && (
            <Option id={idOf(last)} isActive={last === active} onChoose={() => go(ordersWith(text))}>
              <span className="py-1.5">All orders with “{text}”</span>
            </Option>
          )}
        </div>
      )}
    </Form>
  )
}

const panelClass =
  'scroll-area absolute top-full z-50 mt-2 max-h-[min(34rem,calc(100dvh-5rem))] max-w-[34rem] overflow-y-auto rounded-card border border-line bg-surface shadow-card max-lg:fixed max-lg:inset-x-3 max-lg:top-auto lg:inset-x-9'

function useSlashKey(input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea, [contenteditable], dialog')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [input])
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="mb-1">
      <p id={id} className="px-2.5 pt-1.5 pb-0.5 text-[0.75rem] text-ink-soft">
        {title}
      </p>
      {children}
    </div>
  )
}

type OptionProps = { id: string; isActive: boolean; onChoose: () => void; children: ReactNode }

/** The field keeps the focus and handles the keys. */
function Option({ id, isActive, onChoose, children }: OptionProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classNames(
        'flex min-h-9 cursor-pointer items-center gap-3 rounded-card px-2.5 text-[0.875rem] max-lg:min-h-11',
        isActive ? 'bg-button-quiet' : 'hover:bg-button-quiet',
      )}
    >
      {children}
    </div>
  )
}

const RowText = ({ row: { text, detail, imageUrl } }: { row: FoundRow }) => (
  <>
    {imageUrl && <img src={imageUrl} alt="" width={28} height={28} className="size-7 rounded-[4px] object-cover" />}
    <span className="min-w-0 py-1">
      <span className="mr-2 font-medium wrap-anywhere">{text}</span>
      <span className="text-[0.8125rem] text-ink-soft wrap-anywhere">{detail}</span>
    </span>
  </>
)
