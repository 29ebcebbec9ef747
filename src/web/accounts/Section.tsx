import { useId, type ReactNode } from 'react'

type Props = { title: string; description: ReactNode; children: ReactNode }

/** A section of the account page: title on the left, content on the right. */
export function Section({ title, description, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-16 gap-y-6 border-t border-line pt-7 lg:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="text-[1.5rem] leading-tight">
          {title}
        </h2>
        <div className="mt-2 text-ink-soft">{description}</div>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
