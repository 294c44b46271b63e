/**
 * The words for consent: the only table of them. Each list begins with English and what all services use, followed by
 * German, French, Spanish, then Italian, Dutch and Portuguese, then single services: each from the start of a line. Words
 * are separated by commas, and compared without case, accents and punctuation. In the name of a column, `*` stands for the
 * rest of a word.
 *
 * A value that is not here is no consent: the command asks.
 */
export const consentWords = {
  /** In names of columns that say who must not be mailed. */
  outColumn: `
    *unsub*, *optout*, *optedout*, *opt out*, opted out*, *blacklist*, *blocklist*, black list*, block list*,
    do not mail*, do not email*, do not contact*, do not send*, do not allow*, do not market*, do not solicit*,
    do not process*, don t mail*, don t email*, don t contact*, don t send*, don t market*, don t process*,
    dont mail*, dont email*, dont contact*, never mail*, never email*, never contact, stop mail*, stop email*,
    not contactable, *donotmail*, *donotemail*, *donotcontact*, do not call or contact, *suppress*, no mail*,
    no email*, no bulk*, invalid email*, email invalid, is bad, quarantin*, not subscribed, not opted in*,
    not accept*, no consent*, no permission*, *withdraw*, *revoke*, *declined*, *denied*, objected*, excluded*,
    exclusion*, hard bounce*, hardbounce*, *bounced*, bounceback*, bounce status, bounce date, bounce typ*,
    bounce reason, last bounce*, spam complain*, spam report*, spam trap*, spamtrap*, abuse complain*,
    abuse report*, marked as spam, marked email as spam, email suspended, marketing suspended, *erasure*,
    deletion request*, forget this individual, right to be forgotten, opt in pending, optin pending,
    non marketing contact, non subscri*, *deceased*, date of death, death date, died, passed away,
    *abmeld*, *abgemeldet*, *abbestell*, *ausgetragen*, austragung, austragungsdatum, *widerruf*, *widerspr*,
    *sperr*, *geblockt*, *mailverbot*, *werbeverbot*, *kontaktverbot*, ungultige*, kein* newsletter,
    kein* werbung, kein* mail*, kein* kontakt*, kein* einwillig*, nicht einverstanden, nicht zulassen,
    nicht kontaktieren, nicht anschreiben, *werbestop*, *robinson*, *verstorben*, gestorben*,
    sterbedatum, todesdatum,
    *desabonn*, *desinscri*, *bloque*, liste noire, ne pas contacter, ne pas envoyer, ne pas mailer, ne plus envoyer,
    ne souhaite pas, opposition*, *refus*, sans consentement, non valide, npai, exclu, exclue, exclus, decede, decedee,
    deces,
    *desuscri*, dado de baja, de baja, baja voluntaria, *bloquead*, lista negra, no contactar, no enviar,
    no desea*, baja envio*, baja de envio*, no acepta*, no valid*, *rebotad*, rebote duro, sin consentimiento,
    *revocad*, excluid*, suscripcion cancelada, fallecid*, fallecimiento,
    *disiscri*, non contattare, non inviare, *uitgeschreven*, niet mailen, niet contacteren, nao contatar,
    nao enviar, *afgemeld*, *geblokkeerd*, *descadastr*, bloqueado, decedut*, *overleden*,
    overlijden*, falecid*, falecimento`,
  /** Names of such columns, besides words such as `email` and `is`. */
  outAlone: `
    bounce, bounced, bounces, spam, blocked, dropped, clean, cleaned, complain, complained, complaint, complaints,
    spam complaining, suppressed, bad, inactive, deactivated, disabled, undeliverable, invalid, deleted, archived,
    hold, unconfirmed, suspended, dnc, dne,
    ungultig, geloscht, deaktiviert, unzustellbar, inaktiv, gekundigt, archiviert, blockiert,
    invalide, supprime, inactif, archive, plainte, plaintes,
    baja, invalido, eliminado, inactivo, archivado`,
  /** In names of columns that say who may be mailed. */
  inColumn: `
    *consent*, *optin*, *optedin*, *opt in*, opted in*, *permission*, gdpr, subscribed, accept* marketing,
    accept* email marketing, *acceptsmarketing*, *acceptsemailmarketing*, marketing allowed, allow* marketing,
    legal basis*,
    *einwillig*, *zustimmung*, *angemeldet*, *anmeldestatus*, *abonniert*, dsgvo, *werbeerlaubnis*, *erlaubnis*,
    rechtsgrundlage*,
    *consentement*, abonne, abonnee, *inscrit*, rgpd, *autoris*, accepte, base legale,
    *consentimiento*, *suscrito*, *suscrit*, *acepta*, *autoriza*, lopd, base legal,
    *consenso*, *iscritt*, *toestemming*, *aangemeld*, *ingeschreven*, *consentimento*, lgpd`,
  /** Names of such columns. */
  inAlone: `
    active, enabled, valid, mailable, emailable, contactable, deliverable, confirmed, can, allowed,
    aktiv, aktiver, gultig, bestatigt, bestaetigt,
    actif, valide, confirme,
    activo, confirmado, valido,
    attivo, actief, ativo, avg`,
  /** Names of columns with a status, in which yes and no mean nothing. */
  statusAlone: `
    status,
    zustand, anmeldestatus, newsletterstatus, emailstatus, mailstatus, kontaktstatus, empfangerstatus,
    abonnentenstatus, status marketingkontakts,
    statut, etat, statut d abonnement,
    estado, estatus, situacion,
    stato, situacao`,
  /** In names of columns that say who may be mailed if their values are known words. */
  topicColumn: `
    newsletter*, marketing, mailing*, promotions, promotional, email updates, bulk email*, receive* email*,
    receive updates, receive news, product updates, keep me updated, send email*, email you, contact you,
    hear from us, ok to email, ok to mail, okay to contact, ok to contact, keep me informed, stay in touch,
    *newsletter*, *werbung*, werbe*, rundbrief*, infobrief*, infomail*, verteiler, massen e mail*, doi, erwunscht,
    kontaktiert werden, angeschrieben werden,
    infolettre*, publicite*, lettre d information, communications commerciales, prospection, demarchage,
    souhaite recevoir, recevoir des, offres partenaires,
    boletin*, publicidad*, recibir, recibe*, novedades, comunicaciones comerciales,
    nieuwsbrief*, nieuwsbrieven`,
  /** In names of columns that may be about emails or something else: with yes or no, the command asks. */
  perhapsColumn: `
    subscription*, signed up, verified, verification*, validity, validation, deliverability, privacy*, communication*,
    notification*, contact preference*, email preference*, terms*,
    abonnement*, datenschutz*, kommunikation*, benachrichtigung*, agb, nutzungsbedingung*,
    inscription*, donnees personnelles, cgu, conditions generales,
    suscripcion*, proteccion de datos, comunicacion*, terminos*,
    abbonamento*`,
  /** Words that change nothing in names about consent. Beside any other, yes and no are a question: it may take it back. */
  plainWord: `
    emails, newsletters, weekly, monthly, product, eu, mailchimp, woocommerce, i, me, we, us, our, you, your, for,
    from, via, by, per, with, of, and, or, up, may, can, would, be, like, want, wants, wish, please, agree,
    agrees, accepts, allow, allows, receive, receives, send, sends, subscribe, join, add, hear, keep, informed,
    stay, touch, interested, sign, signed, signup, opt, single, double, doi, soft, buyer, customer, client,
    updates, news, offers, promotions, promotional, special, information, info, events, event, communication,
    communications, data, processing, future, ads, casl, tcpa, ok, confirmed, active, status, state, level,
    version, updated, first, last, since, file, c,
    ich, sie, mir, bitte, bin, dem, einverstanden, abonnieren, kunden, darf, mochte, will, wunscht, gewunscht,
    erhalten, erhalt, bezieht, bestellt, bestatigt, erlaubt, erfolgt, werden, senden, anmeldung, kunde, zur, zum,
    fur, von, mit, die, das, den, seit, ab, ja,
    recevoir, reception, souhaite, souhaitez, veut, inscription, envoi, offres, vous, je, j, nos, notre, la, les,
    l, a, par, pour, depuis,
    desea, quiere, recibir, recibe, envio, correos, nuestro, por, para, en, al, las, los, desde,
    desidera, vuole, ricevere, riceve, invio, alla, di, ontvangen, ontvangt, wil, op, voor, het, deseja, quer,
    receber, recebe, na, do, em`,
  /** Parts of a word beside one for consent, as in `Werbeeinwilligung` and `autorisation`, that change nothing. */
  plainPart: `
    s, d, ed, e, es, t, te, ten, en, n, er, ung, ungen, ation, ations, cion, ciones, cao, o, os, a, as, i, do, da,
    dos, das, werbe, werbung, daten, kontakt, mail, anmeldung, anmelde, date, datum, time, status`,
  /** In names of columns that may be about emails: if most of their values are yes and no, the command asks. */
  flagColumn: `
    column, *mail*, *subscri*, e news*, enews*, bulletin*, contacted, contactable, contact me, contact by,
    contact via, may contact, cannot contact, no contact, marketable, updates, offers, informed, receive*,
    *abonn*, einverst*, freigabe, genehmig*, zugestimmt, kontaktaufnahme, kontakt erlaubt, kontakt per,
    kontaktieren, rundschreiben, infos, informier*,
    *recevoir, accord, contacte, sollicit*, lettre, diffusion, courriel*,
    correo*, permiso, permite, recibir, contactad*,
    contattare, contattabile, contatt* per, permesso, autorizza*, ricever*, pubblicita, akkoord, mag, reclame,
    contato, permiss*, receber, boletim, assina*, zgod*, newslett*, subskry*, samtyck*, utskick*, nyhetsbrev*,
    reklam, e post*`,
  /** Names of columns that may say why somebody left. */
  perhapsAlone: 'reason, grund, motif, raison, motivo, razon',
  /** In names of columns that deny what they are about. */
  denial: `
    not, no, non, never, without, don t, dont,
    nicht, kein*, nie, ohne,
    ne, pas, jamais, sans,
    nunca, sin,
    niet, geen, zonder, nao, sem`,
  /** In names of columns that take back what they are about, or limit it: with yes, no or a date, the command asks. */
  reversal: `
    cancel*, reject*, refus*, declin*, denial*, remov*, delet*, delist*, eras*, revo*, rescind*, withdr*,
    suspend*, stop*, object*, expir*, laps*, until, valid to, end, ends, ended, terminat*,
    zuruck*, entzogen, entzug, abgelehnt, *ablehn*, *verweiger*, unerwunscht, untersagt, *losch*, *stopp, *stop,
    abgelaufen, ablauf*, gultig bis, bis, beendet, storniert,
    retir*, annul*, supprim*, rejet*, expire*, jusqu*, fin, resili*, oppos*,
    revoc*, rechaz*, deneg*, cancelad*, caduc*, vence*, hasta, baja*, eliminad*,
    desautori*, inautori*, unsuscri*,
    ritirat*, rifiut*, scadut*, scadenza, ingetrokken, geweigerd, verlopen, revogad*, retirad*, recusad*`,
  /** In names of columns that say when, why or how, and not whether. */
  detailColumn: `
    time, timestamp, date, reason, source, comment, note, title, campaign, ip, method, text, id, form, page,
    datum, zeit, grund, quelle, bemerkung, kommentar,
    heure, motif, raison, source, commentaire,
    fecha, hora, motivo, razon, origen, comentario`,
  /** At the end of such names. */
  detailEnd: 'at, on, am, um, le, el',
  /** In names of columns about another channel. A name that contains `email` is not about those. */
  channelColumn: `
    sms, mms, whatsapp, whats app, telegram, messenger, text message*, phone, call, calls, fax, push, postal, post,
    telefon*, handy, anruf*, telephone*, appel*, courrier, telefono*, llamada*, correo postal`,
  /** In names of columns about another matter. A name that also says who left is about that. */
  otherColumn: `
    mobile, order*, payment*, shipping, delivery, fulfil*,
    financial, invoice*, deal, ticket*, task*, project, job, employment, marital, tax, vip, loyalty, cart,
    checkout, cookie*,
    mobil*, bestell*, zahl*, liefer*, rechnung*, auftrag*, familienstand, beruf*,
    portable, commande*, paiement*, livraison*, facture*, civil, emploi,
    movil, pedido*, pago*, factura*, empleo`,
  /** In names of columns with numbers or links. */
  measureColumn: `
    url, token, rate, score, hours, count, number, clicks, opens, percent, ratio, emails bounced,
    emails sent, emails opened, emails clicked, emails delivered, emails replied, emails dropped, emails received,
    created from, soft bounce*, softbounce*, mailing address*, mailing street*, mailing city, mailing state*,
    mailing country*,
    anzahl, quote, stunden, adresse url,
    taux, nombre,
    tasa, numero`,
  /** In names of columns about email, although they name another channel, too. */
  emailColumn: `
    email*, e mail*, mail*, newsletter*, rundbrief*, infobrief*, infolettre*, courriel, boletin*, correos,
    correo electronico, publicidad*, contact or, or contact, all channels, any channel`,
  /** Words in the names of columns that change nothing. */
  filler: `
    e, email, mail, mails, mailing, newsletter, marketing, contact, contacts, subscriber, subscription, member, user,
    person, recipient, recipients, empfanger, address, adresse, is, has, hs, was, hard, the, current, confirmation, field, custom, fields,
    enum, kontakt, abonnent, abonne, abonnement, contacto, suscriptor, correo, courriel, de, du, des, del, der, d, in,
    to, s, list`,
  /** Values that say nothing, as an empty cell. */
  emptyValue: `
    null, nan, undefined, n a, nil,
    keine angabe, k a,
    aucune, non renseigne`,
  /** Values that agree with the name of their column. */
  yes: `
    yes, y, true, t, on, 1, x, ✓, ✔, ☑, ✅, checked, enabled, allowed, given, granted, accepted, agreed,
    ja, j, wahr, erteilt, eingewilligt, zugestimmt,
    oui, vrai, accorde, accordee, accepte, acceptee,
    si, s, verdadero, acepta, aceptado, aceptada, autorizado, autorizada,
    vero, waar, verdadeiro, sim, da, tak, ano, igen, kylla, да, はい`,
  /** Values that deny the name of their column. */
  no: `
    no, n, false, f, off, 0, ✗, ✘, ☐, ❌, ×, none, never, unchecked, disabled,
    nein, falsch,
    non, faux, jamais,
    falso, nunca,
    nee, nao, onwaar, mai, nooit, nej, nei, nie, ne, nem, ei, нет, いいえ`,
  /** Values of people who refused. In a column of people who left, they may say the opposite. */
  refused: `
    denied, declined, refused, revoked, withdrawn,
    nicht erteilt, nicht eingewilligt, verweigert, abgelehnt, widersprochen,
    refuse, refusee, retire, retiree,
    no acepta, rechazado, rechazada, denegado, denegada, retirado, retirada`,
  /** Values that say, in any column, that the person must not be mailed. */
  left: `
    unsubscribed, unsubscribe, unsub, non subscribed, nonsubscribed, not subscribed, never subscribed, opted out,
    opt out, optout, cleaned, bounced, hard bounce, hard bounced, complained, spam complaint, marked as spam,
    reported spam, blacklisted, blocklisted, blocked, suppressed, do not mail, do not email, do not contact,
    do not send, do not allow, not opted in, no consent,
    abgemeldet, abbestellt, ausgetragen, widerrufen, gesperrt, nicht angemeldet, nicht abonniert, kein newsletter,
    keine werbung, unzustellbar, nicht zulassen, nicht senden,
    desinscrit, desinscrite, desabonne, desabonnee, non inscrit, non inscrite, non abonne, non abonnee, bloque,
    bloquee, liste noire, ne pas contacter, ne pas envoyer,
    dado de baja, dada de baja, desuscrito, desuscrita, no suscrito, no suscrita, bloqueado, bloqueada, rebotado,
    lista negra, no contactar, no enviar,
    disiscritto, disiscritta, non iscritto, bloccato, uitgeschreven, afgemeld, geblokkeerd, descadastrado,
    nao inscrito,
    non marketing contact, kein marketingkontakt, contact non marketing, contacto que no es de marketing,
    unsubscribed from all email,
    user suppressed, invalid email, manually suppressed, unsubscribed by user`,
  /** Values that say so in a column about consent. */
  leftHere: `
    invalid, spam, spam report, spam reported, junk, abuse, abuse complaint, complaint, complain, complainer, bounce,
    dropped, deleted, removed, undeliverable, unmailable, rejected, blacklist, blocklist, deceased,
    ungultig, geloscht, blockiert, gekundigt, verstorben,
    invalide, supprime, supprimee, plainte, rejete, rejetee, decede, decedee,
    de baja, baja, invalido, invalida, eliminado, eliminada, fallecido, fallecida,
    deceduto, deceduta, overleden, falecido, falecida,
    no permission, no permissions, no permission set, no permissions set`,
  /** Values that say, in any column, that the person may be mailed. */
  mailable: `
    subscribed, opted in, opt in, double opt in, single opt in, confirmed opt in,
    angemeldet, abonniert,
    inscrit, inscrite, abonne, abonnee,
    suscrito, suscrita,
    iscritto, iscritta, ingeschreven, aangemeld, inscrito, inscrita`,
  /** Values that say so in a column about consent. */
  mailableHere: `
    active, confirmed, valid, verified, deliverable, ok, mailable, allow, send,
    zulassen, senden,
    aktiv, bestatigt, bestaetigt, gultig, eingetragen,
    actif, active, confirme, confirmee, valide,
    activo, activa, confirmado, confirmada, valido,
    attivo, confermato, actief, bevestigd, ativo,
    marketing contact, marketingkontakt, contact marketing, contacto de marketing,
    express, explicit, implied, implicit`,
} as const;
