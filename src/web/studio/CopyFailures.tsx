import { Notice } from '#web/ui/Notice.tsx'

/** A blank by its title, and why it got no draft. */
export type CopyFailure = { title: string; sentence: string }

/** The blanks that got no draft, each with why. */
export const CopyFailures = ({ title, failures }: { title: string; failures: readonly CopyFailure[] }) => (
  <Notice title={title}>
    <ul className="list-disc pl-5">
      {failures.map((failure) => (
        <li key={failure.title}>
          {failure.title}: {failure.sentence}
        </li>
      ))}
    </ul>
  </Notice>
)
