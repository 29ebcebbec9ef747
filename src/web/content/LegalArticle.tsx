import type { Inline, LegalBlock, LegalDocument } from '#domain/legal/legal-text.ts'
import type { Language } from '#shared/language.ts'
import { Link } from '#web/app/Link.tsx'

/** Running text: lines of about 70 letters, list markers in the collection's color. */
const prose =
  'max-w-[42rem] [&_p]:mt-4 [&_ul]:mt-4 [&_ul]:grid [&_ul]:gap-2 [&_ul]:list-disc [&_ul]:pl-5 [&_li]:pl-1 [&_li]:marker:text-accent [&_h3]:mt-8 [&_h3]:text-[1.25rem] [&_h3]:leading-tight [&_strong]:font-semibold [&_a]:link-line'
const cell = 'border-t border-line py-3 pr-6 text-left align-top font-normal'

type Props = {
  document: LegalDocument
  language: Language
  /** Of the anchors, where the page has others. */
  prefix?: string
}

/** The text of a legal page: every section has a number and an anchor. */
export const LegalArticle = ({ document: { summary, sections }, language, prefix = '' }: Props) => (
  <article lang={language} className={prose}>
    <div className="rounded-card border border-line bg-surface p-6 text-lg [&>*:first-child]:mt-0!">
      <Blocks blocks={summary} />
    </div>
    {sections.map(({ id, title, blocks }, index) => (
      <section key={id} id={`${prefix}${id}`} aria-labelledby={`${prefix}${id}-title`} className="scroll-mt-24 pt-12">
        <h2 id={`${prefix}${id}-title`} className="flex gap-3 text-title">
          <span className="text-ink-soft">{index + 1}.</span>
          {title}
        </h2>
        <Blocks blocks={blocks} />
      </section>
    ))}
  </article>
)

const Blocks = ({ blocks }: { blocks: readonly LegalBlock[] }) =>
  // Texts do not change in place.
  blocks.map((block, index) => <Block key={index} block={block} />)

function Block({ block }: { block: LegalBlock }) {
  if (block.kind === 'table') return <FactsTable rows={block.rows} />
  if (block.kind === 'list')
    return (
      <ul>
        {block.items.map((item, index) => (
          <li key={index}>
            <Line content={item} />
          </li>
        ))}
      </ul>
    )
  const Tag = block.kind === 'heading' ? 'h3' : 'p'
  return (
    <Tag>
      <Line content={block.content} />
    </Tag>
  )
}

const Line = ({ content }: { content: readonly Inline[] }) =>
  content.map(({ text, bold, href }, index) => {
    if (bold) return <strong key={index}>{text}</strong>
    if (href === undefined) return text
    if (!/^[/#]/.test(href))
      return (
        <a key={index} href={href}>
          {text}
        </a>
      )
    return (
      <Link key={index} to={href}>
        {text}
      </Link>
    )
  })

function FactsTable({ rows: [titles = [], ...rows] }: { rows: readonly (readonly Inline[][])[] }) {
  return (
    <table className="mt-5 w-full border-b border-line">
      <thead>
        <tr>
          {titles.map((title, index) => (
            <th
              key={index}
              scope="col"
              className={`py-2 ${index < titles.length - 1 ? 'pr-6 ' : ''}text-left font-semibold`}
            >
              <Line content={title} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = [], ...values], index) => (
          <tr key={index}>
            <th scope="row" className={cell}>
              <Line content={name} />
            </th>
            {values.map((value, column) => (
              <td key={column} className={`${cell} whitespace-nowrap`}>
                <Line content={value} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
