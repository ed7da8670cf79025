import type { ReactElement, ReactNode } from 'react';
import { isTraining } from '#renderer/api/bridge.ts';
import { useFormats, ForeignText, Icon, untilTitle, QuotedText, TimeLeft } from '#renderer/ui/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { perDayText, perDayWords, proposerNames } from '#shared/wording/index.ts';
import styles from './page.module.css';
import type { Formats } from '#shared/lib/formats.ts';

function proposer({ proposedBy, detail }: ProposalView, formats: Formats): ReactElement {
  if (detail.kind === 'batch') {
    return (
      <>
        <span>proposed by </span>
        <ForeignText text={proposerNames(detail.askedBy)} />
      </>
    );
  }
  if (proposedBy.kind === 'person') return <span>proposed by you</span>;
  if (proposedBy.kind === 'schedule') {
    return (
      <>
        <span>proposed by schedule </span>
        <QuotedText text={proposedBy.name} />
      </>
    );
  }
  const since =
    proposedBy.sinceMs === null ? '' : `, since ${formats.shortMoment(proposedBy.sinceMs, Date.now())}`;
  return (
    <>
      <span>proposed by </span>
      <QuotedText text={proposedBy.name} />
      <span> (agent{since})</span>
    </>
  );
}

/** `all 3 waiting changes together $50.00 → $90.00 per day`. Null for a change that moves no money. */
function queueText({ queue, risk }: ProposalView): string | null {
  const year = new Date().getFullYear();
  if (queue === null || !perDayWords(risk.perDay, year).isChanged) return null;
  const { count, perDay, alwaysUnlimited = 0 } = queue;
  const others = alwaysUnlimited > 0 ? `, plus ${alwaysUnlimited} unlimited` : '';
  return `all ${count} waiting changes together ${perDayText(perDay, year)}${others}`;
}

export interface BandProps {
  proposal: ProposalView;
  expiring: boolean;
  waiting: number;
}

export function Band({ proposal, expiring, waiting }: BandProps): ReactElement {
  const formats = useFormats();
  const queue = queueText(proposal);
  return (
    <ProfileBand
      profile={proposal.profile}
      facts={
        <>
          <span>{proposer(proposal, formats)}</span>
          {waiting > 0 && <span>{waiting} more waiting</span>}
          {queue !== null && <span>{queue}</span>}
        </>
      }
    >
      {expiring && (
        <span className={styles.expiry} title={untilTitle(proposal.expiresAtMs, formats)}>
          <Icon name="clock" size={14} />
          <TimeLeft untilMs={proposal.expiresAtMs} />
        </span>
      )}
    </ProfileBand>
  );
}

export interface ProfileBandProps {
  profile: ProposalView['profile'];
  facts?: ReactNode;
  children?: ReactNode;
}

function placeWord({ kind }: ProposalView['profile']): string {
  if (isTraining()) return 'Training';
  return kind === 'live' ? 'LIVE' : 'Demo';
}

export function ProfileBand({ profile, facts, children }: ProfileBandProps): ReactElement {
  return (
    <header className={styles.band}>
      <span className={styles.profile}>
        <span className={styles.mark} aria-hidden />
        {placeWord(profile)}
      </span>
      <span className={styles.facts}>
        {isTraining() ? (
          <span>nothing here is real</span>
        ) : (
          <>
            <span>
              <ForeignText text={profile.name} />
            </span>
            <span>account {profile.account}</span>
          </>
        )}
        {facts}
      </span>
      {children}
    </header>
  );
}
