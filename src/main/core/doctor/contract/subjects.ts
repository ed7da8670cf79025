/** A cid that no service has given out so far, and that fits into 32 bits. */
export const absentCid = 2_147_483_647;

/** The same for a traffic source. */
export const absentTid = 2_147_483_647;
