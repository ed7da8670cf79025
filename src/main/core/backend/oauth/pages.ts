import type { AuthorizationRequest } from '#core/oauth-server/index.ts';
import { html, type Markup } from '#core/platform/browser-page.ts';
import type { Tenant } from '../tenants.ts';
import { clientName, redirectPlace, layout } from './layout.ts';

/** The content of the sign-in page. */
interface SignInView {
  tenant: Tenant;
  asked: AuthorizationRequest;
  /** The path of the interaction. */
  path: string;
  formToken: string;
  /** The login that was typed before. */
  login: string;
  /** The reason of the last refusal, one or two sentences of ours. */
  notice: string | null;
}

/** Asks who sits there. Enter in the password field signs in, which allows nothing yet. */
export function signInPage({ tenant, asked, path, formToken, login, notice }: SignInView): Markup {
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`;
  const card = html`<form method="post" action="${path}/sign-in">
      ${token}
      <div class="lead">
        <h1>Sign in</h1>
        <p>
          <b>${clientName(asked)}</b> asks for access. The answer goes to
          <b>${redirectPlace(asked.redirectUri).host}</b>. Signing in allows nothing yet.
        </p>
      </div>
      ${notice === null ? null : html`<p class="notice" role="alert">${notice}</p>`}
      <div class="fields">
        <label class="field"
          ><span>Login</span
          ><input
            name="login"
            value="${login}"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            maxlength="128"
            required
            ${focusedIf(login === '')}
        /></label>
        <label class="field"
          ><span>Password</span
          ><input
            name="password"
            type="password"
            autocomplete="current-password"
            maxlength="128"
            required
            ${focusedIf(login !== '')}
        /></label>
      </div>
      <div class="actions">
        <button class="go last">Sign in</button>
        <button form="cancel">Cancel</button>
      </div>
    </form>
    <form id="cancel" method="post" action="${path}/cancel">${token}</form>`;
  return layout({
    tenant,
    title: 'Sign in',
    card,
    footer: html`The logins and their password were printed when the service started.`,
  });
}

function focusedIf(isNext: boolean): Markup | null {
  return isNext ? html`autofocus` : null;
}

/** Says plainly what happened and what to do; `again` is where the person can go on. */
export function messagePage({
  tenant,
  title,
  next,
  again,
  word,
}: {
  tenant: Tenant;
  title: string;
  next: string;
  again?: { path: string; label: string };
  /** The error code, for a search for help. */
  word?: string;
}): Markup {
  const link = again === undefined ? null : html`<p><a href="${again.path}">${again.label}</a></p>`;
  const card = html`<div class="lead">
    <h1>${title}</h1>
    <p>${next}</p>
    ${link}
  </div>`;
  return layout({ tenant, title, card, ...(word === undefined ? {} : { footer: html`${word}` }) });
}
