CREATE TABLE "closed_file" (
	"closing" integer NOT NULL,
	"name" text NOT NULL,
	"partner_id" integer,
	"bytes" "bytea" NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "closed_file_closing_name_pk" PRIMARY KEY("closing","name")
);
--> statement-breakpoint
CREATE TABLE "month_closing" (
	"number" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"month" text NOT NULL,
	"from_at" timestamp with time zone NOT NULL,
	"until_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone NOT NULL,
	"reason" text,
	"seal" integer NOT NULL,
	"figures" jsonb NOT NULL,
	"root" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "month_closing_kind_known" CHECK ("month_closing"."kind" in ('closed', 'reopened')),
	CONSTRAINT "month_reopened_with_reason" CHECK (("month_closing"."kind" = 'reopened') = ("month_closing"."reason" is not null))
);
--> statement-breakpoint
ALTER TABLE "closed_file" ADD CONSTRAINT "closed_file_closing_month_closing_number_fk" FOREIGN KEY ("closing") REFERENCES "public"."month_closing"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closed_file" ADD CONSTRAINT "closed_file_partner_id_app_user_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "month_closing" ADD CONSTRAINT "month_closing_seal_ledger_seal_number_fk" FOREIGN KEY ("seal") REFERENCES "public"."ledger_seal"("number") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE TRIGGER month_closing_append_only BEFORE UPDATE OR DELETE ON month_closing
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER closed_file_append_only BEFORE UPDATE OR DELETE ON closed_file
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
-- Months are closed in order and only the last one is reopened, so the last row tells from when on the books are open.
CREATE FUNCTION refuse_closed_month() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE open_from timestamptz;
BEGIN
  SELECT CASE kind WHEN 'closed' THEN until_at ELSE from_at END INTO open_from
  FROM month_closing ORDER BY number DESC LIMIT 1;
  IF NEW.booked_at < open_from THEN
    RAISE EXCEPTION 'the books are closed until %: book it when it arrives', open_from;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_posting_month_open BEFORE INSERT ON ledger_posting
  FOR EACH ROW EXECUTE FUNCTION refuse_closed_month();
--> statement-breakpoint
CREATE VIEW audit_periods AS
  SELECT number, month AS period, kind, from_at, until_at, closed_at, reason, root, hash FROM month_closing;
