import { legalPageNames, legalPages, legalVersionPath } from '#domain/legal/legal-text.ts'
import { say, sayKnown } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'

/** Links to the legal pages as they were in a version. */
export const LegalVersionLinks = ({ version }: { version: number }) => (
  <>
    {say('Version {version}', { version })}:{' '}
    {legalPageNames.map((page, index) => (
      <span key={page}>
        {index > 0 && ', '}
        <Link to={legalVersionPath(page, version)} className="link-line whitespace-nowrap">
          {sayKnown(legalPages[page].label)}
        </Link>
      </span>
    ))}
  </>
)
