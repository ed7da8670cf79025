import { checkFlag, checkText } from './checks.ts';
import type { Rule } from './subject.ts';

/** The keyword switch and its two lists, which are plain text (contract §2.4). */
export const checkKeywords: Rule = (subject, report) => {
  checkFlag(subject, 'keywords_enabled', report);
  checkText(subject, 'keywords_whitelist', report);
  checkText(subject, 'keywords_blocklist', report);
};
