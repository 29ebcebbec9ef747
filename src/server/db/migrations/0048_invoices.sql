CREATE TABLE "invoice_document" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"position" integer NOT NULL,
	"number" text NOT NULL,
	"corrects_id" integer,
	"is_whole" boolean NOT NULL,
	"content" text NOT NULL,
	"file" "bytea",
	"file_hash" text NOT NULL,
	"net_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"vat_protection_cents" bigint NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invoice_document_number_unique" UNIQUE("number"),
	CONSTRAINT "invoice_document_position" UNIQUE("year","position"),
	CONSTRAINT "invoice_document_kind_known" CHECK ("invoice_document"."kind" in ('invoice', 'credit_note')),
	CONSTRAINT "invoice_document_credit_note_corrects" CHECK ("invoice_document"."kind" = 'invoice' or "invoice_document"."corrects_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "invoice_series" (
	"year" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoiced_booking" (
	"booking_id" bigint PRIMARY KEY NOT NULL,
	"document_id" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "invoice_document" ADD CONSTRAINT "invoice_document_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_document" ADD CONSTRAINT "invoice_document_corrects_id_invoice_document_id_fk" FOREIGN KEY ("corrects_id") REFERENCES "public"."invoice_document"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoiced_booking" ADD CONSTRAINT "invoiced_booking_booking_id_tax_booking_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."tax_booking"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoiced_booking" ADD CONSTRAINT "invoiced_booking_document_id_invoice_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."invoice_document"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoice_document_order_id_index" ON "invoice_document" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "invoice_document_issued_at_index" ON "invoice_document" USING btree ("issued_at");--> statement-breakpoint
CREATE INDEX "invoiced_booking_document_id_index" ON "invoiced_booking" USING btree ("document_id");
--> statement-breakpoint
CREATE FUNCTION refuse_invoice_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position <> 1 + (SELECT coalesce(max(position), 0) FROM invoice_document WHERE year = NEW.year) THEN
    RAISE EXCEPTION 'invoice % of % leaves a gap', NEW.position, NEW.year;
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER invoice_document_without_gaps BEFORE INSERT ON invoice_document
  FOR EACH ROW EXECUTE FUNCTION refuse_invoice_gap();
--> statement-breakpoint
-- Issued documents never change. Once no law wants them kept, content and file are emptied; number and amounts stay.
CREATE FUNCTION refuse_invoice_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.content = '' AND NEW.file IS NULL
    AND to_jsonb(NEW) - 'content' - 'file' = to_jsonb(OLD) - 'content' - 'file' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'an issued invoice never changes';
END
$$;
--> statement-breakpoint
CREATE TRIGGER invoice_document_unchanged BEFORE UPDATE OR DELETE ON invoice_document
  FOR EACH ROW EXECUTE FUNCTION refuse_invoice_change();
--> statement-breakpoint
CREATE TRIGGER invoiced_booking_unchanged BEFORE UPDATE OR DELETE ON invoiced_booking
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
