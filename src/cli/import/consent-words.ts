/**
 * The words for consent, by language and service: the only table of them. Words are separated by commas, and compared
 * without case, accents and punctuation. In the name of a column, `*` stands for the rest of a word.
 *
 * A value that is not here is no consent: the command asks.
 */
export const consentWords: readonly Words[] = [
  {
    of: 'English, and all services',
    outColumn:
      '*unsub*, *optout*, *optedout*, *opt out*, opted out*, *blacklist*, *blocklist*, black list*, block list*, ' +
      'do not mail*, do not email*, do not contact*, *donotmail*, *donotemail*, *donotcontact*, *suppress*, no mail*, ' +
      'no email*, invalid email*, email invalid, quarantin*, not subscribed, not opted*, not accept*, no consent*, ' +
      'no permission*, *withdraw*, *revoke*, *declined*, *denied*, objected*',
    outAlone:
      'bounce, bounced, bounces, spam, blocked, dropped, clean, cleaned, complain, complained, complaint, suppressed, ' +
      'bad, inactive, deactivated, disabled, undeliverable, invalid',
    inColumn:
      '*consent*, *optin*, *optedin*, *opt in*, opted in*, *permission*, gdpr, subscribed, accept* marketing, ' +
      'accept* email marketing, *acceptsmarketing*, *acceptsemailmarketing*, marketing allowed, allow* marketing',
    inAlone: 'active, enabled, valid, mailable, emailable, contactable, deliverable, confirmed, can, allowed',
    statusAlone: 'status',
    topicColumn: 'newsletter*, marketing, mailing*, promotions, email updates',
    detailColumn:
      'time, timestamp, date, at, on, reason, source, comment, note, title, campaign, ip, method, text, id, form, page',
    otherColumn:
      'sms, whatsapp, phone, mobile, call, calls, fax, push, postal, post, order*, payment*, shipping, delivery, fulfil*, ' +
      'financial, invoice*, deal, lead, ticket*, task*, project, job, employment, marital, tax, vip, loyalty, cart, ' +
      'checkout, cookie*',
    measureColumn:
      'link, url, token, rate, score, hours, count, number, clicks, opens, percent, ratio, emails bounced, emails sent, ' +
      'emails opened, emails clicked, emails delivered, emails replied',
    emptyValue: 'null, nan, undefined, n a, nil',
    yes: 'yes, y, true, t, on, 1, x, ✓, ✔, ☑, ✅, checked, enabled, allowed, given, granted, accepted, agreed',
    no: 'no, n, false, f, off, 0, ✗, ✘, ☐, ❌, ×, none, never, unchecked, disabled, denied, declined, refused, revoked, withdrawn',
    left:
      'unsubscribed, unsubscribe, unsub, non subscribed, nonsubscribed, not subscribed, never subscribed, opted out, ' +
      'opt out, optout, cleaned, bounced, hard bounce, hard bounced, complained, spam complaint, marked as spam, ' +
      'reported spam, blacklisted, blocklisted, blocked, suppressed, do not mail, do not email, do not contact',
    leftHere:
      'invalid, spam, spam report, spam reported, junk, abuse, abuse complaint, complaint, complain, complainer, bounce, ' +
      'dropped, deleted, removed, undeliverable, unmailable, rejected, blacklist, blocklist',
    mailable: 'subscribed, opted in, opt in, double opt in, single opt in, confirmed opt in',
    mailableHere: 'active, confirmed, valid, verified, deliverable, ok, mailable',
  },
  {
    of: 'German',
    outColumn:
      '*abmeld*, *abgemeldet*, *abbestell*, *ausgetragen*, *widerruf*, *widerspr*, *sperr*, kein* newsletter, ' +
      'kein* werbung, kein* mail*, kein* einwillig*, nicht einverstanden, *robinson*',
    outAlone: 'ungultig, geloscht, deaktiviert, unzustellbar, inaktiv, gekundigt',
    inColumn:
      '*einwillig*, *zustimmung*, *angemeldet*, *anmeldestatus*, *abonniert*, dsgvo, *werbeerlaubnis*, *erlaubnis*',
    inAlone: 'aktiv, gultig, bestatigt, bestaetigt',
    statusAlone: 'zustand, anmeldestatus, newsletterstatus, emailstatus, mailstatus',
    topicColumn: '*newsletter*, *werbung*, werbe*, rundbrief*, infobrief*',
    detailColumn: 'datum, am, um, zeit, grund, quelle, bemerkung, kommentar',
    otherColumn:
      'telefon*, handy, mobil*, anruf*, bestell*, zahl*, liefer*, versand*, rechnung*, auftrag*, familienstand, beruf*',
    measureColumn: 'anzahl, quote, stunden, adresse url',
    emptyValue: 'keine angabe, k a',
    yes: 'ja, j, wahr, erteilt, eingewilligt, zugestimmt',
    no: 'nein, falsch, nicht erteilt, nicht eingewilligt, verweigert, abgelehnt, widersprochen',
    left:
      'abgemeldet, abbestellt, ausgetragen, widerrufen, gesperrt, nicht angemeldet, nicht abonniert, kein newsletter, ' +
      'keine werbung, unzustellbar',
    leftHere: 'ungultig, geloscht, blockiert, gekundigt',
    mailable: 'angemeldet, abonniert',
    mailableHere: 'aktiv, bestatigt, bestaetigt, gultig, eingetragen',
  },
  {
    of: 'French',
    outColumn:
      '*desabonn*, *desinscri*, *bloque*, liste noire, ne pas contacter, opposition*, *refus*, sans consentement',
    outAlone: 'invalide, supprime, inactif',
    inColumn: '*consentement*, abonne, abonnee, *inscrit*, rgpd, *autoris*, accepte',
    inAlone: 'actif, valide, confirme',
    statusAlone: 'statut, etat, statut d abonnement',
    topicColumn: 'infolettre*, publicite*, lettre d information',
    detailColumn: 'le, heure, motif, raison, source, commentaire',
    otherColumn:
      'telephone*, portable, appel*, courrier, commande*, paiement*, livraison*, facture*, civil, emploi',
    measureColumn: 'taux, nombre, lien',
    emptyValue: 'aucune, non renseigne',
    yes: 'oui, vrai, accorde, accordee, accepte, acceptee',
    no: 'non, faux, jamais, refuse, refusee, retire, retiree',
    left:
      'desinscrit, desinscrite, desabonne, desabonnee, non inscrit, non inscrite, non abonne, non abonnee, bloque, ' +
      'bloquee, liste noire, ne pas contacter',
    leftHere: 'invalide, supprime, supprimee, plainte, rejete, rejetee',
    mailable: 'inscrit, inscrite, abonne, abonnee',
    mailableHere: 'actif, active, confirme, confirmee, valide',
  },
  {
    of: 'Spanish',
    outColumn:
      '*desuscri*, dado de baja, de baja, *bloquead*, lista negra, no contactar, *rebotad*, sin consentimiento, *revocad*',
    outAlone: 'baja, invalido, eliminado, inactivo',
    inColumn: '*consentimiento*, *suscrito*, *suscrit*, *acepta*, *autoriza*, lopd',
    inAlone: 'activo, confirmado, valido',
    statusAlone: 'estado, estatus, situacion',
    topicColumn: 'boletin*, publicidad*',
    detailColumn: 'fecha, hora, motivo, razon, origen, comentario',
    otherColumn: 'telefono*, movil, llamada*, correo postal, pedido*, pago*, envio*, factura*, empleo',
    measureColumn: 'tasa, numero, enlace',
    yes: 'si, s, verdadero, aceptado, aceptada, autorizado, autorizada',
    no: 'falso, nunca, rechazado, rechazada, denegado, denegada, retirado, retirada',
    left:
      'dado de baja, dada de baja, desuscrito, desuscrita, no suscrito, no suscrita, bloqueado, bloqueada, ' +
      'rebotado, lista negra, no contactar',
    leftHere: 'de baja, baja, invalido, invalida, eliminado, eliminada',
    mailable: 'suscrito, suscrita',
    mailableHere: 'activo, activa, confirmado, confirmada, valido',
  },
  {
    of: 'Italian, Dutch and Portuguese',
    outColumn: '*disiscri*, *uitgeschreven*, *afgemeld*, *geblokkeerd*, *descadastr*, bloqueado',
    inColumn: '*consenso*, *toestemming*, *consentimento*, avg, lgpd',
    inAlone: 'attivo, actief, ativo',
    statusAlone: 'stato, situacao',
    topicColumn: 'nieuwsbrief*, nieuwsbrieven',
    yes: 'vero, waar, verdadeiro, sim, da',
    no: 'nee, nao, onwaar, mai, nooit',
    left: 'disiscritto, disiscritta, non iscritto, bloccato, uitgeschreven, afgemeld, geblokkeerd, descadastrado, nao inscrito',
    mailable: 'iscritto, iscritta, ingeschreven, aangemeld, inscrito, inscrita',
    mailableHere: 'attivo, confermato, actief, bevestigd, ativo',
  },
  {
    of: 'HubSpot',
    left: 'non marketing contact, unsubscribed from all email',
    mailableHere: 'marketing contact',
  },
  {
    of: 'Klaviyo',
    left: 'user suppressed, invalid email, manually suppressed, unsubscribed by user',
  },
  {
    of: 'Constant Contact',
    leftHere: 'no permission, no permissions, no permission set, no permissions set',
    mailableHere: 'express, explicit, implied',
  },
];

export type WordKind = Exclude<keyof Words, 'of'>;

interface Words {
  readonly of: string;
  /** In names of columns that say who must not be mailed. */
  readonly outColumn?: string;
  /** Names of such columns, besides words such as `email` and `is`. */
  readonly outAlone?: string;
  /** In names of columns that say who may be mailed. */
  readonly inColumn?: string;
  readonly inAlone?: string;
  /** Names of columns with a status, in which yes and no mean nothing. */
  readonly statusAlone?: string;
  /** In names of columns that say who may be mailed if their values are known words. */
  readonly topicColumn?: string;
  /** In names of columns that say when, why or how, and not whether. */
  readonly detailColumn?: string;
  /** In names of columns about another channel or matter. A name that contains `email` is not about those. */
  readonly otherColumn?: string;
  /** In names of columns with numbers or links. */
  readonly measureColumn?: string;
  /** Values that say nothing, as an empty cell. */
  readonly emptyValue?: string;
  readonly yes?: string;
  readonly no?: string;
  /** Values that say, in any column, that the person must not be mailed. */
  readonly left?: string;
  /** Values that say so in a column about consent. */
  readonly leftHere?: string;
  /** Values that say, in any column, that the person may be mailed. */
  readonly mailable?: string;
  /** Values that say so in a column about consent. */
  readonly mailableHere?: string;
}

/** Words in the names of columns that change nothing. */
export const fillers =
  'e, email, mail, mails, mailing, newsletter, marketing, contact, contacts, subscriber, subscription, member, user, ' +
  'person, recipient, address, adresse, is, has, hs, was, hard, the, current, confirmation, field, custom, fields, enum, kontakt, ' +
  'abonnent, abonne, abonnement, contacto, suscriptor, correo, courriel, de, du, des, del, der, d, in, to, s, list';

/** Words that make a column one about email, although it names another channel, too. */
export const emailWords = 'email*, mail*, newsletter*, courriel, correo electronico';
