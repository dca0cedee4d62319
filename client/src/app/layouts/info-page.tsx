import type { ReactNode } from 'react'
import { PageHeader } from '@/components/page-header'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { language } from '@/lib/language'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import infoPages from '../info-pages.json'
import { messages } from './messages'

type InfoPageProps = {
  /** Its title and introduction are in info-pages.json, which the server has, too. */
  name: 'about' | 'help' | 'contact' | 'privacy' | 'terms'
  /** Actions, above the text. */
  lead?: ReactNode
  children: ReactNode
}

/** A text page: one column of text under a title. */
export function InfoPage({ name, lead, children }: InfoPageProps) {
  const { title, intro } = infoPages[language][name]
  usePageMeta({ title: pageTitle(title), description: intro })
  return (
    <article className="page">
      <PageHeader
        title={title}
        text={intro}
        above={
          <Breadcrumb
            crumbs={[
              { key: 'home', label: messages.home, to: paths.home },
              { key: 'here', label: title },
            ]}
          />
        }
      />
      {lead}
      <div className="prose max-w-text">{children}</div>
    </article>
  )
}
